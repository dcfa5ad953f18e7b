import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { since } from '../../support/since.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { byOwner, type LintCase, type LintDatabase, makeLintDatabase } from './lint-database.ts';

let lintDatabase: LintDatabase;
beforeAll(async () => {
  lintDatabase = await makeLintDatabase();
});
afterAll(async () => {
  await lintDatabase.drop();
  await removeMetadata();
});

const relations: readonly LintCase[] = [
  ...[
    ['a view', 'create view seen as select id, code from account'],
    ['a materialized view', 'create materialized view seen as select id, code from account'],
    [
      'a view over a view',
      'create view below as select id, code from account; create view seen as select * from below',
    ],
  ].map(([what, made]) => ({
    fact: `${what} of rows with rules that PUBLIC may read`,
    sql: `${byOwner} ${made}; grant select (code) on seen to public`,
    finding:
      'warning RG_OPEN_VIEW PUBLIC may read public.seen, which shows every row of a table with rules; run: ',
    repair: 'revoke all on "public"."seen" from public',
  })),
  {
    fact: 'a view through which PUBLIC may write to a table with rules',
    sql: `${byOwner} create view seen as select id, code from account; grant delete on seen to public`,
    finding:
      'RG_OPEN_VIEW PUBLIC may write to public.seen, and by it to a table with rules, around them; run: ',
    repair: 'revoke all on "public"."seen" from public',
  },
  {
    fact: 'a table without rules that PUBLIC may use',
    sql: `${byOwner} create table "odd ""one" (id integer); grant select, insert on "odd ""one" to public`,
    finding:
      'warning RG_UNMANAGED_TABLE PUBLIC may insert, select on public.odd "one, which has neither rules nor row security; write a file with its rules, or run: ',
    repair: 'revoke all on "public"."odd ""one" from public',
  },
  {
    fact: 'a column of a table without rules that PUBLIC may use',
    sql: `${byOwner} create table beside (id integer); grant update (id) on beside to public`,
    finding:
      'warning RG_UNMANAGED_TABLE PUBLIC may update on public.beside, which has neither rules nor row security; write a file with its rules, or run: ',
    repair: 'revoke all on "public"."beside" from public',
  },
  {
    fact: 'a foreign table that PUBLIC may read',
    sql: 'create foreign data wrapper none; create server away foreign data wrapper none; create foreign table public.far (id integer) server away; grant select on public.far to public',
    finding:
      'warning RG_UNMANAGED_TABLE PUBLIC may select on public.far, a foreign table, which has neither rules nor row security; run: ',
    repair: 'revoke all on "public"."far" from public',
  },
  {
    fact: 'a sequence that PUBLIC may read',
    sql: `${byOwner} create sequence counter; grant select on sequence counter to public`,
    finding:
      'warning RG_EXTRA_PRIVILEGE PUBLIC may select on sequence public.counter, which reveals the number of rows; run: ',
    repair: 'revoke all on sequence "public"."counter" from public',
  },
  {
    fact: 'a default privilege that gives PUBLIC every new table',
    sql: `${byOwner} alter default privileges in schema public grant select on tables to public`,
    finding:
      'warning RG_DEFAULT_PRIVILEGE PUBLIC gets select on all tables that "rowgate_owner" will make in schema "public"; run: ',
    repair:
      'alter default privileges for role "rowgate_owner" in schema "public" revoke all on tables from PUBLIC',
  },
  {
    fact: 'a default privilege that gives a compiled role every new function',
    sql: `${byOwner} alter default privileges grant execute on functions to "P_member"`,
    finding:
      'warning RG_DEFAULT_PRIVILEGE "P_member" gets execute on all functions that "rowgate_owner" will make; run: ',
    repair:
      'alter default privileges for role "rowgate_owner" revoke all on functions from "P_member"',
  },
];

const code: readonly LintCase[] = [
  {
    fact: 'a security definer function that PUBLIC may call',
    sql: `${byOwner} create function tell(text, integer[]) returns text language sql security definer set search_path = pg_catalog, pg_temp as 'select $1'`,
    finding:
      'warning RG_DEFINER_FUNCTION PUBLIC may call public.tell(text,integer[]), which acts with the rights of "rowgate_owner", around all rules; let it act with the rights of its caller, or run: ',
    repair: 'revoke execute on routine public.tell(text,integer[]) from public',
  },
  {
    fact: 'a security definer procedure that PUBLIC may call',
    sql: `${byOwner} create procedure tell() language sql security definer set search_path = '' as 'select 1'`,
    finding:
      'warning RG_DEFINER_FUNCTION PUBLIC may call public.tell(), which acts with the rights of "rowgate_owner", around all rules; let it act with the rights of its caller, or run: ',
    repair: 'revoke execute on routine public.tell() from public',
  },
  {
    fact: 'a security definer trigger of a table with rules',
    sql: `${byOwner} create function audit() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as 'begin return new; end';
      create trigger audit after insert on account for each row execute function audit()`,
    finding:
      'warning RG_DEFINER_TRIGGER trigger "audit" on public.account acts with the rights of "rowgate_owner" for every role that writes there; see what public.audit() reads and writes, or run: ',
    repair: 'alter function public.audit() security invoker',
  },
  {
    fact: 'a security definer trigger whose function is in a schema named rowgate_audit',
    sql: `create schema rowgate_audit authorization rowgate_owner; ${byOwner} create function rowgate_audit.audit() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as 'begin return new; end';
      create trigger audit after insert on account for each row execute function rowgate_audit.audit()`,
    finding:
      'warning RG_DEFINER_TRIGGER trigger "audit" on public.account acts with the rights of "rowgate_owner" for every role that writes there; see what rowgate_audit.audit() reads and writes, or run: ',
    repair: 'alter function rowgate_audit.audit() security invoker',
  },
  {
    fact: 'a rewrite rule on a table with rules',
    sql: `${byOwner} create rule copied as on insert to account do also notify copied`,
    finding:
      'warning RG_REWRITE_RULE rule "copied" on public.account rewrites what roles do there, and what it adds obeys no policy; make it a trigger and run: ',
    repair: 'drop rule "copied" on "public"."account"',
  },
  ...[
    ['default', 'alter column note set default public.tell()'],
    ['check', 'add check (public.tell() = note) not valid'],
    ['generated column', 'add column made text generated always as (public.tell()) stored'],
  ].map(([what, altered]) => ({
    fact: `a ${what} that calls a function of a foreign role`,
    sql: `create role "P_other"; create function public.tell() returns text language sql immutable as 'select 1::text';
      alter function public.tell owner to "P_other"; alter table public.account ${altered}`,
    finding:
      'warning RG_FOREIGN_FUNCTION writes to public.account call public.tell(), which "P_other" may change at any time; run: ',
    repair: 'alter function public.tell() owner to "rowgate_owner"',
  })),
  {
    fact: 'a function that is marked leakproof',
    sql: `create function public.tell(text) returns boolean language sql leakproof as 'select true'`,
    finding:
      'warning RG_LEAKPROOF public.tell(text) is marked leakproof: Postgres shows it rows that rules hide; unless it reveals its arguments nowhere, not even in errors, run: ',
    repair: 'alter function public.tell(text) not leakproof',
  },
];

const ann = 'create role "P_ann" login; grant "P_member" to "P_ann"';
const logins: readonly LintCase[] = [
  {
    fact: 'a login with BYPASSRLS that inherits a compiled role',
    sql: `${ann}; alter role "P_ann" bypassrls`,
    finding:
      'RG_BYPASS "P_ann" bypasses row security and inherits P_member: it sees and writes every row; as a superuser: ',
    repair: 'alter role "P_ann" nobypassrls',
  },
  {
    fact: 'a select on a view with rules, granted to a login beside its role',
    sql: `${ann}; grant select (id) on public.listed to "P_ann"`,
    finding:
      'RG_EXTRA_PRIVILEGE "P_ann" may select on public.listed beside a role of the metadata, which no rule filters; run: ',
    repair: 'revoke all on "public"."listed" from "P_ann"',
  },
  {
    fact: 'privileges on a table with rules, granted to a group of a login beside its role',
    sql: `${ann}; create role "P_group"; grant "P_group" to "P_ann"; grant select (note), delete on public.account to "P_group"`,
    finding:
      'warning RG_EXTRA_PRIVILEGE "P_group" may delete, select on public.account beside a role of the metadata, which adds columns or commands to those of its rules; run: ',
    repair: 'revoke all on "public"."account" from "P_group"',
  },
  {
    fact: 'row_security = off as a setting of the gateway login',
    sql: 'alter role "P_gateway_login" set row_security = off',
    finding:
      'RG_SETTING "P_gateway_login" starts with a setting row_security, which makes Postgres refuse every query that a policy would filter; run: ',
    repair: 'alter role "P_gateway_login" reset "row_security"',
  },
  {
    fact: 'a session variable as a setting of the database',
    sql: `alter database THIS_DATABASE set gql.org_id = '1'`,
    finding:
      'RG_SETTING every login starts with a setting gql.org_id in database THIS_DATABASE, which gives a session variable that no request sent; run: ',
    repair: 'alter database THIS_DATABASE reset "gql"."org_id"',
  },
  {
    fact: 'a role as a setting of the gateway login',
    sql: 'alter role "P_gateway_login" in database THIS_DATABASE set role = "P_member"',
    finding:
      'RG_SETTING "P_gateway_login" starts with a setting role in database THIS_DATABASE, which chooses a role before a request does; run: ',
    repair: 'alter role "P_gateway_login" in database THIS_DATABASE reset "role"',
  },
  {
    fact: 'a direct login with the setting session_replication_role = replica, which turns triggers off',
    sql: `${ann}; alter role "P_ann" set session_replication_role = replica`,
    finding:
      'RG_SETTING "P_ann" starts with a setting session_replication_role, which switches the triggers of presets and foreign keys off; run: ',
    repair: 'alter role "P_ann" reset "session_replication_role"',
  },
];

describe.each([...relations, ...code, ...logins])('$fact', ({ sql, finding, repair }) => {
  test('is reported by check with the statement that repairs it', async () => {
    expect(await lintDatabase.findingsAfter(sql)).toEqual([finding + repair]);
  });

  test('is not reported any more after that statement', async () => {
    expect(await lintDatabase.findingsAfter(`${sql}; reset role; ${repair}`)).toEqual([]);
  });
});

test.each([
  ['the search_path of its caller', ''],
  ['temporary tables of its caller before any other', 'set search_path = public'],
])('check reports a security definer function that finds %s', async (finds, path) => {
  const findings = await lintDatabase.findingsAfter(
    `${byOwner} create function tell() returns integer language sql security definer ${path} as 'select 1'; revoke execute on function tell from public`,
  );
  const how = path === '' ? `names by ${finds}` : finds;
  expect(findings).toEqual([
    `warning RG_SEARCH_PATH public.tell() acts with the rights of "rowgate_owner" and finds ${how}; run: alter routine public.tell() set search_path = … , pg_temp; naming the schemas that its body needs`,
  ]);
});

const above = `${byOwner} create table above (id uuid not null); alter table account inherit above`;

test('check warns about a parent table without rules, because it shows the rows of its child table with rules', async () => {
  expect(await lintDatabase.findingsAfter(above)).toEqual([
    'warning RG_UNMANAGED_PARENT public.above has no rules, and the rows of public.account are reached through it; write its rules too: the rules of a child do not apply to queries on the parent',
  ]);
});

test('check reports an error when PUBLIC may read the parent table of a table with rules', async () => {
  const findings = await lintDatabase.findingsAfter(
    `${above}; grant select (id) on above to public`,
  );
  expect(findings[0]).toBe(
    'RG_UNMANAGED_PARENT public.above has no rules, and the rows of public.account are reached through it by PUBLIC; write its rules, or run: revoke all on "public"."above" from public',
  );
});

describe('check reports nothing for', () => {
  test.each([
    ['an unchanged database', 'select 1'],
    ['a view without grants', `${byOwner} create view seen as select * from account`],
    [
      'a view over a table without rules',
      `${byOwner} create table beside (id integer); create view seen as select * from beside; grant select on seen to public`,
    ],
    [
      'a table without rules that has row security on',
      `${byOwner} create table beside (id integer); alter table beside enable row level security; grant select on beside to public`,
    ],
    [
      'a table without rules in another schema',
      'create schema apart; create table apart.beside (id integer); grant usage on schema apart to public; grant select on apart.beside to public',
    ],
    ['a table without rules and without grants', `${byOwner} create table beside (id integer)`],
    [
      'a table that belongs to an extension',
      'create table public.beside (id integer); grant select on public.beside to public; alter extension citext add table public.beside',
    ],
    [
      'a security definer function that only its owner may call',
      `${byOwner} create function tell() returns integer language sql security definer set search_path = '' as 'select 1'; revoke execute on function tell from public`,
    ],
    [
      'a function with the rights of its caller',
      `${byOwner} create function tell() returns integer language sql as 'select 1'`,
    ],
    [
      'a trigger with the rights of the writer',
      `${byOwner} create function audit() returns trigger language plpgsql as 'begin return new; end'; create trigger audit after insert on account for each row execute function audit()`,
    ],
    [
      'a column default that calls a function of the owner',
      `${byOwner} create function tell() returns text language sql as 'select 1::text'; alter table account alter note set default tell()`,
    ],
    [
      'a default privilege for a role that Rowgate does not manage',
      `create role "P_other"; ${byOwner} alter default privileges grant select on tables to "P_other"`,
    ],
    ['a login with BYPASSRLS and without a compiled role', 'create role "P_ann" login bypassrls'],
    [
      'a login with BYPASSRLS that does not inherit its compiled role',
      'create role "P_ann" login bypassrls noinherit; grant "P_member" to "P_ann"',
    ],
    [
      'a privilege on a table with rules for a login without a compiled role',
      'create role "P_ann" login; grant select on public.account to "P_ann"',
    ],
    [
      'settings of search_path and time zone',
      `alter database THIS_DATABASE set search_path = public; alter role "P_gateway_login" set timezone = 'UTC'; alter database THIS_DATABASE set row_security = on`,
    ],
    [
      'a direct login whose settings choose its own role and a session variable, which rules do not trust',
      `${ann}; alter role "P_ann" set role = "P_member"; alter role "P_ann" set gql.org_id = '1'`,
    ],
  ])('%s', async (_what, sql) => {
    expect(await lintDatabase.findingsAfter(sql)).toEqual([]);
  });

  // Postgres 14 has no views with the rights of their reader (security_invoker).
  test.runIf(since(15))('a view with the rights of its reader', async () => {
    const sql = `${byOwner} create view seen with (security_invoker = yes) as select id, code from account; grant all on seen to public`;
    expect(await lintDatabase.findingsAfter(sql)).toEqual([]);
  });
});
