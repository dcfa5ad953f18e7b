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
    fact: 'a view by which PUBLIC may write to a table with rules',
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
    fact: 'a default privilege of PUBLIC',
    sql: `${byOwner} alter default privileges in schema public grant select on tables to public`,
    finding:
      'warning RG_DEFAULT_PRIVILEGE PUBLIC gets select on all tables that "rowgate_owner" will make in schema "public"; run: ',
    repair:
      'alter default privileges for role "rowgate_owner" in schema "public" revoke all on tables from PUBLIC',
  },
  {
    fact: 'a default privilege of a compiled role',
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
    fact: 'a security definer trigger whose function lies in a schema with a name like those of Rowgate',
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
    fact: 'a login that bypasses row security with the grants of a role',
    sql: `${ann}; alter role "P_ann" bypassrls`,
    finding:
      'RG_BYPASS "P_ann" bypasses row security and inherits P_member: it sees and writes every row; as a superuser: ',
    repair: 'alter role "P_ann" nobypassrls',
  },
  {
    fact: 'a view with rules that a login with a role may also read directly',
    sql: `${ann}; grant select (id) on public.listed to "P_ann"`,
    finding:
      'RG_EXTRA_PRIVILEGE "P_ann" may select on public.listed beside a role of the metadata, which no rule filters; run: ',
    repair: 'revoke all on "public"."listed" from "P_ann"',
  },
  {
    fact: 'a table with rules that a group of a login with a role may also use directly',
    sql: `${ann}; create role "P_group"; grant "P_group" to "P_ann"; grant select (note), delete on public.account to "P_group"`,
    finding:
      'warning RG_EXTRA_PRIVILEGE "P_group" may delete, select on public.account beside a role of the metadata, which adds columns or commands to those of its rules; run: ',
    repair: 'revoke all on "public"."account" from "P_group"',
  },
  {
    fact: 'row security that the login of the gateway starts without',
    sql: 'alter role "P_gateway_login" set row_security = off',
    finding:
      'RG_SETTING "P_gateway_login" starts with a setting row_security, which makes Postgres refuse every query that a policy would filter; run: ',
    repair: 'alter role "P_gateway_login" reset "row_security"',
  },
  {
    fact: 'a session variable that is set in the database',
    sql: `alter database THIS_DATABASE set gql.org_id = '1'`,
    finding:
      'RG_SETTING every login starts with a setting gql.org_id in database THIS_DATABASE, which gives a session variable that no request sent; run: ',
    repair: 'alter database THIS_DATABASE reset "gql"."org_id"',
  },
  {
    fact: 'a role that the login of the gateway starts in',
    sql: 'alter role "P_gateway_login" in database THIS_DATABASE set role = "P_member"',
    finding:
      'RG_SETTING "P_gateway_login" starts with a setting role in database THIS_DATABASE, which chooses a role before a request does; run: ',
    repair: 'alter role "P_gateway_login" in database THIS_DATABASE reset "role"',
  },
  {
    fact: 'a login with a compiled role that starts without triggers',
    sql: `${ann}; alter role "P_ann" set session_replication_role = replica`,
    finding:
      'RG_SETTING "P_ann" starts with a setting session_replication_role, which switches the triggers of presets and foreign keys off; run: ',
    repair: 'alter role "P_ann" reset "session_replication_role"',
  },
];

describe.each([...relations, ...code, ...logins])('$fact', ({ sql, finding, repair }) => {
  test('is reported', async () => {
    expect(await lintDatabase.findingsAfter(sql)).toEqual([finding + repair]);
  });

  test('is repaired by the statement in the finding', async () => {
    expect(await lintDatabase.findingsAfter(`${sql}; reset role; ${repair}`)).toEqual([]);
  });
});

test.each([
  ['the search_path of its caller', ''],
  ['temporary tables of its caller before any other', 'set search_path = public'],
])('a security definer function that finds %s is reported', async (finds, path) => {
  const findings = await lintDatabase.findingsAfter(
    `${byOwner} create function tell() returns integer language sql security definer ${path} as 'select 1'; revoke execute on function tell from public`,
  );
  const how = path === '' ? `names by ${finds}` : finds;
  expect(findings).toEqual([
    `warning RG_SEARCH_PATH public.tell() acts with the rights of "rowgate_owner" and finds ${how}; run: alter routine public.tell() set search_path = … , pg_temp; naming the schemas that its body needs`,
  ]);
});

const above = `${byOwner} create table above (id uuid not null); alter table account inherit above`;

test('a parent without rules of a table with rules is reported', async () => {
  expect(await lintDatabase.findingsAfter(above)).toEqual([
    'warning RG_UNMANAGED_PARENT public.above has no rules, and the rows of public.account are reached through it; write its rules too: the rules of a child do not apply to queries on the parent',
  ]);
});

test('a parent without rules that PUBLIC may read stops apply', async () => {
  const findings = await lintDatabase.findingsAfter(
    `${above}; grant select (id) on above to public`,
  );
  expect(findings[0]).toBe(
    'RG_UNMANAGED_PARENT public.above has no rules, and the rows of public.account are reached through it by PUBLIC; write its rules, or run: revoke all on "public"."above" from public',
  );
});

describe('no finding is reported for', () => {
  test.each([
    ['an unchanged database', 'select 1'],
    ['a view without grants', `${byOwner} create view seen as select * from account`],
    [
      'a view of a table without rules',
      `${byOwner} create table beside (id integer); create view seen as select * from beside; grant select on seen to public`,
    ],
    [
      'a table without rules that has row security of its own',
      `${byOwner} create table beside (id integer); alter table beside enable row level security; grant select on beside to public`,
    ],
    [
      'a table without rules in another schema',
      'create schema apart; create table apart.beside (id integer); grant usage on schema apart to public; grant select on apart.beside to public',
    ],
    ['a table without rules and without grants', `${byOwner} create table beside (id integer)`],
    [
      'a table of an extension',
      'create table public.beside (id integer); grant select on public.beside to public; alter extension citext add table public.beside',
    ],
    [
      'a security definer function that only its owner may call',
      `${byOwner} create function tell() returns integer language sql security definer set search_path = '' as 'select 1'; revoke execute on function tell from public`,
    ],
    [
      'a function that acts as its caller',
      `${byOwner} create function tell() returns integer language sql as 'select 1'`,
    ],
    [
      'a trigger that acts as the writer',
      `${byOwner} create function audit() returns trigger language plpgsql as 'begin return new; end'; create trigger audit after insert on account for each row execute function audit()`,
    ],
    [
      'a default by a function of the owner',
      `${byOwner} create function tell() returns text language sql as 'select 1::text'; alter table account alter note set default tell()`,
    ],
    [
      'a default privilege of a foreign role',
      `create role "P_other"; ${byOwner} alter default privileges grant select on tables to "P_other"`,
    ],
    [
      'a login that bypasses row security without a role of the metadata',
      'create role "P_ann" login bypassrls',
    ],
    [
      'a login that bypasses row security but has to switch to a role',
      'create role "P_ann" login bypassrls noinherit; grant "P_member" to "P_ann"',
    ],
    [
      'a privilege on a table with rules for a login without a role',
      'create role "P_ann" login; grant select on public.account to "P_ann"',
    ],
    [
      'a search_path and a time zone',
      `alter database THIS_DATABASE set search_path = public; alter role "P_gateway_login" set timezone = 'UTC'; alter database THIS_DATABASE set row_security = on`,
    ],
    [
      'a login that starts in its role with untrusted variables',
      `${ann}; alter role "P_ann" set role = "P_member"; alter role "P_ann" set gql.org_id = '1'`,
    ],
  ])('%s', async (_what, sql) => {
    expect(await lintDatabase.findingsAfter(sql)).toEqual([]);
  });

  test.runIf(since(15))('a view with the rights of its reader', async () => {
    const sql = `${byOwner} create view seen with (security_invoker = yes) as select id, code from account; grant all on seen to public`;
    expect(await lintDatabase.findingsAfter(sql)).toEqual([]);
  });
});
