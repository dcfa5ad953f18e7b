import { afterEach, expect, test } from 'vitest';
import { type Uninstalled, uninstall } from '../../../permissions/apply/uninstall.ts';
import { column, ids, installTenants, makeTenants, type Tenants } from '../attacks/tenants.ts';
import { failureOf } from '../support/as-role.ts';
import { catalogState } from '../support/catalog-state.ts';
import { removeMetadata } from '../support/metadata-files.ts';

let tenants: Tenants;
afterEach(async () => {
  await tenants.drop();
  await removeMetadata();
});

const remove = (): Promise<Uninstalled> =>
  uninstall(tenants.owner, { rolePrefix: tenants.prefix, login: undefined });

test('uninstall restores the catalogs to their state before the first apply', async () => {
  tenants = await makeTenants({ from: 'empty' });
  const before = await catalogState(tenants.owner, tenants.prefix);
  await tenants.apply();
  const { roles, schemasKept } = await remove();
  expect(await catalogState(tenants.owner, tenants.prefix)).toEqual(before);
  expect({ roles: roles.length, schemasKept }).toEqual({ roles: 8, schemasKept: false });
});

test('uninstall keeps every row of the tables', async () => {
  tenants = await installTenants();
  await remove();
  expect(await column(tenants.owner, ids)).toEqual(['1', '2', '3', '4']);
});

test('uninstall leaves row security on only for tables that had it before the first apply', async () => {
  tenants = await makeTenants();
  await tenants.owner.query('alter table org enable row level security');
  await tenants.apply();
  await remove();
  const sql =
    "select relname || relrowsecurity from pg_class where relname in ('org', 'account') order by 1";
  expect(await column(tenants.owner, sql)).toEqual(['accountfalse', 'orgtrue']);
});

test('uninstall also turns row security off for a table that the metadata no longer has', async () => {
  tenants = await installTenants();
  await tenants.rewrite({ 'roles.yaml': 'roles: {}\n', 'tables/org.yaml': 'table: org\n' });
  await tenants.apply();
  await remove();
  expect(
    await column(tenants.owner, "select relrowsecurity from pg_class where relname = 'account'"),
  ).toEqual(['f']);
});

test('uninstall keeps the schemas of Rowgate while a user-defined view calls one of their functions', async () => {
  tenants = await installTenants();
  await tenants.owner.query(
    "create view mine as select rowgate_api.session_variable('user_id') as me",
  );
  expect((await remove()).schemasKept).toBe(true);
  expect(await column(tenants.owner, 'select me from mine')).toEqual([null]);
});

test('uninstall keeps the schemas of Rowgate while a column default calls one of their functions', async () => {
  tenants = await installTenants();
  await tenants.owner.query(
    "alter table account alter note set default rowgate_api.session_variable('user_id')",
  );
  expect((await remove()).schemasKept).toBe(true);
  await tenants.owner.query("insert into account (id, org_id, code) values (9, 1, 'x')");
  expect(await column(tenants.owner, 'select note from account where id = 9')).toEqual([null]);
});

test('after uninstall, the same metadata can be applied again and shows the same rows', async () => {
  tenants = await installTenants();
  await remove();
  await tenants.apply();
  expect(await tenants.pending()).toEqual([]);
  expect((await tenants.ask('member', { org_id: '1' }, ids)).rows).toEqual([['1'], ['2']]);
});

test('uninstall in a database without Rowgate removes nothing', async () => {
  tenants = await makeTenants({ from: 'empty' });
  expect(await remove()).toEqual({
    roles: [],
    rolesKept: [],
    logins: [],
    loginsKept: [],
    schemasKept: false,
  });
});

test('uninstall does not change the roles of another installation', async () => {
  tenants = await installTenants();
  const foreign = `${tenants.prefix}foreign`;
  await tenants.superuser.query(
    `create role "${foreign}"; comment on role "${foreign}" is 'rowgate:of another'`,
  );
  await remove();
  expect(
    await column(
      tenants.owner,
      `select rolname from pg_roles where starts_with(rolname, '${tenants.prefix}')`,
    ),
  ).toEqual([foreign]);
});

test('uninstall keeps a gateway login that it did not create, which then cannot read any table', async () => {
  tenants = await makeTenants();
  const login = `${tenants.prefix}own_login`;
  await tenants.superuser.query(`create role "${login}" login noinherit`);
  await tenants.apply({ login });
  await uninstall(tenants.owner, { rolePrefix: tenants.prefix, login });
  const client = await tenants.connectAs(login);
  expect((await failureOf(client.query(ids))).code).toBe('42501');
});

test('uninstall succeeds while a direct login exists, which then cannot read any table', async () => {
  tenants = await installTenants();
  const ann = await tenants.addLogin('ann', ['member'], { org_id: '1' });
  await remove();
  expect((await failureOf(ann.query(ids))).code).toBe('42501');
});
