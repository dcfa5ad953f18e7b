import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { uninstall } from '../../../permissions/apply/uninstall.ts';
import { column, installTenants, type Tenants } from '../attacks/tenants.ts';
import { failureOf } from '../support/as-role.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { checkName, rules, schema } from './notes.ts';

let tenants: Tenants;
let updateCheck: string;
beforeEach(async () => {
  tenants = await installTenants({ schema, rules });
  updateCheck = await checkName(tenants);
});
afterEach(async () => {
  await tenants.drop();
  await removeMetadata();
});

const updateChecks = () =>
  column(
    tenants.owner,
    `select proname from pg_proc where proname like 'may\\_update\\_%' order by 1`,
  );

/** The rules with another update filter for role writer on table note, so that the update check must change. */
const changed = {
  ...rules,
  'tables/note.yaml': rules['tables/note.yaml'].replace('locked: { _eq: false }, org', 'org'),
};

const plants: readonly [string, string, string][] = [
  [
    'an update check rewritten to return true always',
    `create or replace function rowgate_api.GUARD(k1 date, k2 varchar) returns boolean language sql
       volatile security definer set search_path = pg_catalog, pg_temp as 'select true'`,
    'replace upsert guard GUARD of writer on public.note',
  ],
  [
    'an update check that belongs to another owner',
    'alter function rowgate_api.GUARD owner to rowgate_owner',
    'replace upsert guard GUARD of writer on public.note',
  ],
  [
    'an update check that PUBLIC may execute',
    'grant execute on function rowgate_api.GUARD to public',
    'drop execute on rowgate_api.GUARD(date, character varying) of public',
  ],
  [
    'an update check that another role may execute',
    'grant execute on function rowgate_api.GUARD to "MEMBER"',
    'drop execute on rowgate_api.GUARD(date, character varying) of MEMBER',
  ],
  [
    'a dropped update check',
    'drop function rowgate_api.GUARD',
    'create upsert guard GUARD of writer on public.note',
  ],
];

test.each(plants)(
  'apply finds and repairs a changed update check: %s',
  async (_what, statement, change) => {
    const named = (text: string) =>
      text.replaceAll('GUARD', updateCheck).replaceAll('MEMBER', `${tenants.prefix}member`);
    await tenants.superuser.query(named(statement));
    expect(await tenants.applied()).toContain(named(change));
    expect(await tenants.pending()).toEqual([]);
    const login = await tenants.addLogin('asking', ['writer'], { org_id: '1' });
    expect(
      await column(
        login,
        `select rowgate_api.${updateCheck}('2026-01-01', slug) from note order by slug`,
      ),
    ).toEqual(['f', 't']);
  },
);

describe('apply, when an update rule has changed', () => {
  test('replaces the update check and drops the old one', async () => {
    await tenants.rewrite(changed);
    await tenants.apply();
    const now = await checkName(tenants);
    expect(now).not.toBe(updateCheck);
    expect(await updateChecks()).toContain(now);
    expect(await updateChecks()).not.toContain(updateCheck);
  });

  test('drops the last conflict lookup of a table and creates an update check in the same run', async () => {
    const note = changed['tables/note.yaml'].replace('update: { filter: {}, columns: [body] }', '');
    await tenants.rewrite({ ...changed, 'tables/note.yaml': note });
    await tenants.apply();
    expect(await tenants.pending()).toEqual([]);
    expect(await updateChecks()).toContain(await checkName(tenants));
  });

  test('succeeds although temporary objects of a direct login use the old update check', async () => {
    const login = await tenants.addLogin('keeping', ['writer'], { org_id: '1' });
    await login.query(`
      create temp view kept as select rowgate_api.${updateCheck}('2026-01-01', 'mine') as may;
      create temp view of_it as select may from kept;
      create temp table filled (may boolean default rowgate_api.${updateCheck}('2026-01-01', 'mine'),
        check (rowgate_api.${updateCheck}('2026-01-01', 'mine')))`);
    // A login that could read hidden rows by an upsert would make apply fail for another reason.
    const { superuser, prefix } = tenants;
    await superuser.query(`revoke "${prefix}writer" from "${prefix}keeping"`);
    await tenants.rewrite(changed);
    await tenants.apply();
    expect(await tenants.pending()).toEqual([]);
  });

  test('fails and names a permanent view that uses the old update check', async () => {
    await tenants.owner.query(
      `create view lasting as select rowgate_api.${updateCheck}('2026-01-01', 'mine') as may`,
    );
    await tenants.rewrite(changed);
    const { message } = await failureOf(tenants.apply());
    expect(message).toContain(`RG_REFUSED Postgres refuses to drop upsert guard ${updateCheck}`);
    expect(message).toContain('; drop or rewrite what depends on it');
    expect(message).toContain('view public.lasting depends on function');
  });
});

test('uninstall drops the update checks of all tables', async () => {
  expect(await updateChecks()).not.toEqual([]);
  await uninstall(tenants.owner, { rolePrefix: tenants.prefix, login: undefined });
  expect(await updateChecks()).toEqual([]);
});

test('check does not report the update checks, although they belong to a role of Rowgate', async () => {
  expect(await tenants.findings()).toEqual([]);
});
