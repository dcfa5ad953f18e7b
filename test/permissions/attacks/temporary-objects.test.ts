import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { since } from '../../support/since.ts';
import { failureOf } from '../support/as-role.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { installTenants, type Tenants, tenantRules } from './tenants.ts';

let tenants: Tenants;
let stranger: Awaited<ReturnType<Tenants['addLogin']>>;
beforeAll(async () => {
  tenants = await installTenants();
  stranger = await tenants.addLogin('stranger', []);
});
beforeEach(() => stranger.query('discard temp'));
afterAll(async () => {
  await tenants.drop();
  await removeMetadata();
});

const trigger = `create temp table x (id integer);
  create function pg_temp.f() returns trigger language plpgsql as 'begin return new; end';
  create trigger "!rowgate/preset" before insert on x for each row execute function pg_temp.f()`;

const changes: readonly [string, string][] = [
  ['a grant on a temporary table', 'create temp table x (id integer); grant select on x to MEMBER'],
  [
    'a grant on a column of a temporary table',
    'create temp table x (id integer); grant select (id) on x to MEMBER',
  ],
  [
    'a grant on a temporary function',
    "create function pg_temp.f() returns integer language sql as 'select 1'; grant execute on function pg_temp.f() to MEMBER",
  ],
  [
    'a policy of a temporary table with the name of a Rowgate policy',
    `create temp table x (id integer); create policy "rowgate/x" on x; comment on policy "rowgate/x" on x is 'rowgate:0'`,
  ],
  ['a trigger of a temporary table with the name of a Rowgate trigger', trigger],
];

test.each(changes)(
  '%s, made by a login without rights, does not make apply fail',
  async (_what, sql) => {
    await stranger.query(sql.replaceAll('MEMBER', `"${tenants.prefix}member"`));
    expect(await tenants.pending()).toEqual([]);
    await tenants.apply();
  },
);

test('a temporary view that PUBLIC may write to is not reported, because other sessions cannot use it', async () => {
  const writer = await tenants.addLogin('writing', ['writer'], { org_id: '1', user_id: 'w' });
  await writer.query(
    'create temp view v as select id, org_id, code from account; grant insert on v to public',
  );
  expect(await tenants.findings()).not.toContainEqual(
    expect.objectContaining({ code: 'RG_OPEN_VIEW' }),
  );
  // The later tests expect no findings, but a login with the writer role would be one.
  const { superuser, prefix } = tenants;
  await superuser.query(`revoke "${prefix}writer" from "${prefix}writing"`);
});

// In Postgres 16 and later, a login made by `rowgate login create` cannot switch to its role and so cannot make objects
// as the role.
test.skipIf(since(16))(
  'temporary objects that a login makes after switching to its role cause no error',
  async () => {
    const login = await tenants.addLogin('becoming', ['member'], { org_id: '1' });
    await login.query(`set role "${tenants.prefix}member"; create temp table x (id integer);
    create function pg_temp.f() returns integer language sql as 'select 1'`);
    expect(await tenants.findings()).not.toContainEqual(
      expect.objectContaining({ severity: 'error' }),
    );
  },
);

test('default privileges and large objects that a login makes as its role do not make apply fail', async () => {
  const login = await tenants.addLogin('naming', ['member'], { org_id: '1' });
  const role = `"${tenants.prefix}member"`;
  await login.query(`alter default privileges for role ${role} grant select on tables to public;
    select pg_catalog.lo_create(0); reassign owned by current_user to ${role}`);
  expect(await tenants.findings()).not.toContainEqual(
    expect.objectContaining({ severity: 'error' }),
  );
  await tenants.apply();
});

test('apply fails when it must drop a role for which a login has set default privileges', async () => {
  const login = await tenants.addLogin('leaving', ['calm'], {});
  const role = `${tenants.prefix}calm`;
  await login.query(`alter default privileges for role "${role}" grant select on tables to public`);
  onTestFinished(async () => {
    await login.query(
      `alter default privileges for role "${role}" revoke select on tables from public`,
    );
    await tenants.rewrite(tenantRules);
    await tenants.apply();
  });
  const without = (text: string) => text.slice(0, text.indexOf('  calm:'));
  await tenants.rewrite({
    ...tenantRules,
    'roles.yaml': without(tenantRules['roles.yaml']),
    'tables/account.yaml': without(tenantRules['tables/account.yaml']),
  });
  expect((await failureOf(tenants.apply())).message).toMatch(
    /^RG_REFUSED Postgres refuses to drop role \w+_calm: .* cannot be dropped .*default privileges/,
  );
});
