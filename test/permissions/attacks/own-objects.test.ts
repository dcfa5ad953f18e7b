import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failureOf } from '../support/as-role.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { column, ids, installTenants, type Tenants } from './tenants.ts';

let tenants: Tenants;
let version: number;
beforeAll(async () => {
  tenants = await installTenants();
  await tenants.addLogin('ann', ['member'], { org_id: '1' });
  version = Number((await column(tenants.owner, 'show server_version_num'))[0]);
});
afterAll(async () => {
  await tenants.drop();
  await removeMetadata();
});

const api = 'rowgate_api.login_variable(text)';
const answering2 = `create or replace function rowgate_api.login_variable(name text) returns text language sql
  stable parallel safe security definer set search_path = pg_catalog, pg_temp as $$ select '2' $$`;

/**
 * Each entry: a description of the change, the statement that makes it, and the change of the plan that must report it.
 */
const plants: readonly [string, string, string][] = [
  [
    'the function that reads stored variables, rewritten to return a constant',
    answering2,
    `replace function ${api}`,
  ],
  [
    'the function that reads stored variables, without its search_path',
    `alter function ${api} reset search_path`,
    `replace function ${api}`,
  ],
  [
    'the function that reads stored variables, with another search_path',
    `alter function ${api} set search_path = public, pg_catalog`,
    `replace function ${api}`,
  ],
  [
    'the function that reads stored variables, with the rights of its caller',
    `alter function ${api} security invoker`,
    `replace function ${api}`,
  ],
  [
    'the function that column defaults call for a variable, rewritten',
    "create or replace function rowgate_api.session_variable(name text) returns text language sql as 'select null'",
    'replace function rowgate_api.session_variable(text)',
  ],
  [
    'the function that returns the applied fingerprint, rewritten',
    "create or replace function rowgate_api.applied_fingerprint() returns text language sql as 'select null'",
    'replace function rowgate_api.applied_fingerprint()',
  ],
  [
    'the function that describes the installation, rewritten',
    "create or replace function rowgate_api.installation() returns jsonb language sql as 'select null::jsonb'",
    'replace function rowgate_api.installation()',
  ],
  [
    'the function that describes the installation, dropped',
    'drop function rowgate_api.installation()',
    'create function rowgate_api.installation()',
  ],
  [
    'the function that describes the installation, open to PUBLIC',
    'grant execute on function rowgate_api.installation() to public',
    'drop execute on rowgate_api.installation() of public',
  ],
  [
    'the table of stored variables, without row security',
    'alter table rowgate.login_variable disable row level security',
    'drop access to rowgate.login_variable without row security',
  ],
  [
    'the table of stored variables, with a policy that shows every row',
    'create policy open on rowgate.login_variable using (true)',
    'drop policy open on rowgate.login_variable',
  ],
  [
    'the table of stored variables, readable by a direct login',
    'grant select on rowgate.login_variable to ANN',
    'drop select on rowgate.login_variable of ANN',
  ],
  [
    'a column of the table of stored variables, writable by a direct login',
    'grant update (value) on rowgate.login_variable to ANN',
    'drop update on rowgate.login_variable of ANN',
  ],
  [
    'the table of the installation, readable by PUBLIC',
    'grant select on rowgate.installation to public',
    'drop select on rowgate.installation of public',
  ],
];

describe.each(plants)('%s', (_name, statement, change) => {
  const named = (text: string) => text.replaceAll('ANN', `"${tenants.prefix}ann"`);

  beforeAll(async () => {
    await tenants.superuser.query(named(statement));
  });

  test('appears in the plan, and apply repairs it so that a login sees only its rows', async () => {
    expect(await tenants.applied()).toContain(named(change).replaceAll('"', ''));
    expect(await tenants.pending()).toEqual([]);
    const ann = await tenants.connectAs(`${tenants.prefix}ann`);
    expect(await column(ann, ids)).toEqual(['1', '2']);
  });
});

test('apply plans no change for functions that did not change, because their stored hashes still match', async () => {
  const { plan } = await tenants.apply();
  expect(plan.changes).toEqual([]);
});

describe.each([
  ['function rowgate_api.login_variable(text)'],
  ['table rowgate.login_variable'],
  ['schema rowgate_api'],
])('%s, when another role owns the object,', (thing) => {
  test('makes apply fail and name the statement that returns the ownership', async () => {
    const { superuser, prefix } = tenants;
    await superuser.query(`alter ${thing} owner to "${prefix}ann"`);
    const { message } = await failureOf(tenants.apply());
    await superuser.query(`alter ${thing} owner to rowgate_owner`);
    expect(message).toContain(
      `RG_EXTRA_PRIVILEGE ${thing}, which every rule relies on, belongs to "${prefix}ann"; as a superuser: alter ${thing} owner to "rowgate_owner"`,
    );
    expect(await tenants.findings()).toEqual([]);
  });
});

describe('the privilege to set session_replication_role, which switches triggers off,', () => {
  test.each([
    ['a compiled role', 'member'],
    ['the login of the gateway', 'gateway_login'],
    ['a login with a role', 'ann'],
  ])(
    'makes apply fail when %s holds it, on versions of Postgres that have this privilege',
    async (_name, who) => {
      const role = `"${tenants.prefix}${who}"`;
      const grant = `set on parameter session_replication_role`;
      const { superuser } = tenants;
      await superuser.query(`do $$ begin if ${version} >= 150000 then
      execute 'grant ${grant} to ${role}'; end if; end $$`);
      const findings = (await tenants.findings()).map((one) => `${one.message}; ${one.hint}`);
      await superuser.query(`do $$ begin if ${version} >= 150000 then
      execute 'revoke ${grant} from ${role}'; end if; end $$`);
      const expected = `${role} holds set on parameter session_replication_role, which switches presets and foreign keys off; as a superuser: revoke ${grant} from ${role}`;
      expect(findings).toEqual(version >= 150000 ? [expected] : []);
    },
  );
});
