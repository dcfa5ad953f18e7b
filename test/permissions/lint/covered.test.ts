import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeMetadata } from '../support/metadata-files.ts';
import { byOwner, type LintDatabase, makeLintDatabase } from './lint-database.ts';

let lintDatabase: LintDatabase;
beforeAll(async () => {
  lintDatabase = await makeLintDatabase();
});
afterAll(async () => {
  await lintDatabase.drop();
  await removeMetadata();
});

describe('apply includes in its plan the statement that repairs', () => {
  test.each([
    [
      'row security that was turned off',
      'alter table public.account disable row level security',
      'create row security on public.account',
    ],
    [
      'a policy that was made always true',
      'alter policy "rowgate/member/select" on public.account using (true)',
      'replace policy rowgate/member/select on public.account',
    ],
    [
      'a policy that was given to PUBLIC',
      'alter policy "rowgate/member/select" on public.account to public',
      'replace policy rowgate/member/select on public.account',
    ],
    [
      'a policy that was dropped',
      'drop policy "rowgate/member/select" on public.account',
      'create policy rowgate/member/select on public.account',
    ],
    [
      'select on a table without rules, granted to a compiled role',
      `${byOwner} create table beside (id integer); grant select on beside to "P_member"`,
      'drop select on public.beside of P_member',
    ],
    [
      'select on a view, granted to a compiled role',
      `${byOwner} create view seen as select id from account; grant select on seen to "P_member"`,
      'drop select on public.seen of P_member',
    ],
    [
      'select on a materialized view, granted to a compiled role',
      `${byOwner} create materialized view seen as select id from account; grant select on seen to "P_member"`,
      'drop select on public.seen of P_member',
    ],
    [
      'execute on a security definer function, granted to a compiled role',
      `${byOwner} create function tell() returns integer language sql security definer set search_path = '' as 'select 1'; revoke all on function tell from public; grant execute on function tell to "P_member"`,
      'drop execute on public.tell() of P_member',
    ],
    [
      'truncate granted to PUBLIC',
      'grant truncate on public.account to public',
      'drop truncate on public.account of public',
    ],
    [
      'select on a column that no rule lists, granted to a compiled role',
      'grant select (org_id) on public.account to "P_member"',
      'replace grant select on public.account (id, code, note) to P_member',
    ],
    [
      'membership of a compiled role in pg_read_all_data',
      'grant pg_read_all_data to "P_member"',
      'drop membership of P_member in pg_read_all_data',
    ],
    [
      'membership of a login in the role that policies check',
      'create role "P_ann" login; grant "P_policy" to "P_ann"',
      'drop membership of P_ann in P_policy',
    ],
  ])('%s', async (_what, sql, change) => {
    expect(await lintDatabase.changesAfter(sql)).toEqual([change]);
  });
});

describe('apply refuses', () => {
  test.each([
    [
      'a policy of another author that shows more rows',
      'create policy everything on public.account using (true)',
      'RG_FOREIGN_POLICY policy "everything" on public.account is not Rowgate\'s: it opens rows beside the rules',
    ],
    [
      'a policy of another author that hides rows',
      'create policy narrow on public.account as restrictive using (false)',
      'RG_FOREIGN_POLICY policy "narrow" on public.account is not Rowgate\'s: it hides rows from the rules',
    ],
    [
      'a compiled role with BYPASSRLS',
      'alter role "P_member" bypassrls',
      'RG_EXTRA_PRIVILEGE the Postgres role "P_member" is superuser, may bypass row security',
    ],
    [
      'a compiled role that owns a table',
      'alter table public.org owner to "P_member"',
      'RG_EXTRA_PRIVILEGE the Postgres role "P_member" owns table public.org',
    ],
    [
      'a schema in which PUBLIC may create objects',
      'grant create on schema public to public',
      'RG_SCHEMA_WRITABLE PUBLIC may create objects in schema "public"',
    ],
  ])('%s', async (_what, sql, finding) => {
    const findings = await lintDatabase.findingsAfter(sql);
    expect(findings.filter((one) => one.startsWith(finding))).toHaveLength(1);
  });
});
