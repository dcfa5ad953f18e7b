import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { uninstall } from '../../../permissions/apply/uninstall.ts';
import { formatDiagnostic } from '../../../permissions/diagnostics.ts';
import { failureOf } from '../support/as-role.ts';
import { type Installation, install, makeInstallation } from '../support/installation.ts';
import { type MetadataFiles, removeMetadata } from '../support/metadata-files.ts';

const schema = `
create table mark (id integer primary key, name text not null, points integer not null, tutor text);
create table secret (id integer primary key, name text not null);
create function total(mark) returns integer language sql stable as 'select $1.points + 1';
create function is_listed(m mark) returns boolean language plpgsql stable as
  'begin return exists (select from secret s where s.name = m.name); end';
create function tutored(m mark, session jsonb) returns boolean language sql stable as
  $$ select m.tutor = session ->> 'x-gql-tutor-name' $$;
insert into mark values (1, 'ann', 10, 'ted'), (2, 'bob', 20, 'tom');
insert into secret values (1, 'bob');
`;

const computed = `
computed_fields:
  total: { function: total }
  is_listed: { function: is_listed }
  tutored: { function: tutored, session_argument: session }
`;

const rules: MetadataFiles = {
  'roles.yaml': 'roles: { reader: {}, listed: {}, tutor: {}, writer: {} }\n',
  'tables/mark.yaml': `
table: mark${computed}
permissions:
  reader: { select: { filter: { total: { _lt: 20 } }, columns: '*', computed_fields: [total] } }
  listed: { select: { filter: { is_listed: true }, columns: [name] } }
  tutor: { select: { filter: { tutored: true }, columns: [name] } }
  writer:
    select: { filter: {}, columns: '*' }
    insert: { check: {}, columns: '*' }
    update: { filter: { total: { _lt: 20 } }, columns: [points] }
`,
};

let made: Installation;
beforeAll(async () => {
  made = await install({ schema, rules });
});
afterAll(async () => {
  await made.drop();
  await removeMetadata();
});

/** Returns the findings of check and the changes of a plan after a superuser ran this SQL in a new installation. */
async function after(
  sql: string,
): Promise<{ findings: readonly string[]; pending: readonly string[] }> {
  const other = await install({ schema, rules });
  const superuser = await other.database.connectSuperuser();
  await superuser.query(sql.replaceAll('P_', other.prefix));
  const findings = await other.findings();
  const pending = await other.pending();
  await other.drop();
  const plain = (text: string) => text.replaceAll(other.prefix, 'P_');
  return { findings: findings.map(formatDiagnostic).map(plain), pending: pending.map(plain) };
}

test('the function of a computed field in a rule may read a table that the role may not read', async () => {
  expect((await made.ask('listed', {}, 'select name from mark')).rows).toEqual([['bob']]);
  const refused = await failureOf(made.ask('listed', {}, 'select name from secret'));
  expect(refused.code).toBe('42501');
});

test('the function of a computed field receives the session variable that its body names', async () => {
  const { variables } = await made.model();
  expect(variables).toEqual(['tutor_name']);
  const asked = await made.ask('tutor', { tutor_name: 'ted' }, 'select name from mark');
  expect(asked.rows).toEqual([['ann']]);
  expect((await made.ask('tutor', {}, 'select name from mark')).rows).toEqual([]);
});

test("a direct login cannot make a rule's function use a table or operator that the login created", async () => {
  const login = `${made.prefix}${randomBytes(3).toString('hex')}`;
  const superuser = await made.database.connectSuperuser();
  await superuser.query(`create role ${login} login in role ${made.prefix}listed`);
  await superuser.query(`create schema evil authorization ${login}`);
  const person: pg.Client = await made.connectAs(login);
  await person.query('create temp table secret (name text); grant select on secret to public');
  await person.query("insert into secret values ('ann'), ('bob')");
  await person.query(
    'create function evil.always(text, text) returns boolean language sql immutable as $$ select true $$',
  );
  await person.query(
    'create operator evil.= (leftarg = text, rightarg = text, function = evil.always)',
  );
  await person.query('set search_path = pg_temp, evil, public, pg_catalog');
  expect((await person.query('select name from public.mark')).rows).toEqual([{ name: 'bob' }]);
  await person.end();
  await superuser.query(`drop owned by ${login} cascade; drop role ${login}`);
});

test('an upsert does not update rows whose computed field fails the update rule', async () => {
  const { rows } = await made.owner.query(
    "select p.proname from pg_proc p where p.proname like 'may\\_update\\_%'",
  );
  const sql = `insert into mark (id, name, points) values (1, 'x', 5), (2, 'y', 6)
    on conflict (id) do update set points = excluded.points where rowgate_api.${rows[0]?.proname}(mark.id)`;
  expect((await made.ask('writer', {}, sql)).affected).toBe(1);
});

test('apply grants a role the execute privilege again after it was revoked from the function of its computed field', async () => {
  const { pending } = await after('revoke execute on function total(mark) from P_reader');
  expect(pending).toEqual(['create grant execute on function public.total(mark) to P_reader']);
});

test('apply revokes the execute privilege on a function from a role whose rules do not use the computed field', async () => {
  const { pending } = await after('grant execute on function total(mark) to P_listed');
  expect(pending).toEqual(['drop execute on public.total(public.mark) of P_listed']);
});

test('apply recreates a changed wrapper function of a computed field, and the policies that call it', async () => {
  const { pending } = await after(`do $do$
    declare call regprocedure;
    begin
      select p.oid into call from pg_proc p where p.proname like 'call\\_%' and p.prorettype = 'bool'::regtype
        and pg_get_functiondef(p.oid) like '%is_listed%';
      execute format('alter function %s security invoker', call);
    end $do$`);
  expect(pending.map((text) => text.replace(/call_\w+/g, 'call'))).toEqual([
    'replace call call of public.is_listed',
    'replace grant execute on function rowgate_policy.call(…) to P_listed',
    'replace policy rowgate/listed/select on public.mark',
  ]);
});

test('check refuses a computed field whose function belongs to another role, which could change it later', async () => {
  const { findings } = await after(
    'create role P_other; grant create on schema public to P_other; alter function total(mark) owner to P_other; revoke create on schema public from P_other; revoke all on schema public from P_other',
  );
  expect(findings).toContain(
    'RG_FOREIGN_FUNCTION computed field "total" of public.mark calls public.total(public.mark), which "P_other" may change at any time; run: alter function public.total(public.mark) owner to "rowgate_owner"',
  );
});

test('check reports a computed field whose function prefers temporary tables of its caller to permanent ones', async () => {
  const { findings } = await after('alter function total(mark) set search_path = public');
  expect(findings.join()).toContain(
    'computed field "total" of public.mark calls public.total(public.mark), which finds temporary tables of its caller before any other',
  );
});

test('apply refuses a computed field whose function is in a schema where PUBLIC may create objects', async () => {
  const away = schema.replace('total(mark)', 'tools.total(mark)');
  const other = await makeInstallation({
    schema: `create schema tools; ${away}; grant create on schema tools to public`,
    rules: Object.fromEntries(
      Object.entries(rules).map(([file, text]) => [
        file,
        String(text).replace('function: total }', 'function: tools.total }'),
      ]),
    ),
  });
  const refused = await failureOf(other.apply());
  await other.drop();
  expect(refused.message).toContain('PUBLIC may create objects in schema "tools"');
});

test('uninstall revokes execute on the functions of computed fields and drops the objects that call them', async () => {
  const other = await install({ schema, rules });
  await uninstall(other.owner, { rolePrefix: other.prefix, login: undefined });
  const { rows } = await other.owner.query(
    "select p.proname, p.proacl::text as acl from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname in ('public', 'rowgate_policy') and p.proacl is not null",
  );
  const roles = await other.owner.query('select from pg_roles where rolname like $1', [
    `${other.prefix.replaceAll('_', '\\_')}%`,
  ]);
  await other.drop();
  expect([rows.filter(({ acl }) => acl.includes(other.prefix)), roles.rowCount]).toEqual([[], 0]);
});

test('apply fails when a role is given a computed field but may read neither the whole row nor its primary key', async () => {
  const other = await makeInstallation({
    schema,
    rules: {
      ...rules,
      'rowgate.yaml': 'strict_keys: true\n',
      'tables/mark.yaml': `
table: mark${computed}
permissions:
  reader: { select: { filter: {}, columns: [name], computed_fields: [total] } }
`,
    },
  });
  const refused = await failureOf(other.apply());
  await other.drop();
  expect(refused.message).toContain(
    'RG_COMPUTED_FIELD the role cannot read "total": it does not read every column of public.mark, nor the primary key; list the primary key under columns',
  );
});

test('a computed field that returns rows of a table is offered only to roles that may select from that table', async () => {
  const other = await makeInstallation({
    schema: `${schema}
      create function namesakes(mark) returns setof secret language sql stable security definer set search_path = public, pg_temp
        as 'select * from secret where name = $1.name';`,
    rules: {
      'roles.yaml': 'roles: { some: {}, all: {} }\n',
      'tables/mark.yaml': `
table: mark
computed_fields: { namesakes: { function: namesakes } }
permissions:
  some: { select: { filter: {}, columns: '*' } }
  all: { select: { filter: {}, columns: '*' } }
`,
      'tables/secret.yaml': `
table: secret
permissions:
  some: { select: { filter: { id: 1 }, columns: '*' } }
  all: { select: { filter: {}, columns: '*' } }
`,
    },
  });
  const model = await other.model();
  await other.drop();
  const open = [...model.roles].map(([name, role]) => [
    name,
    role.tables.get('public.mark')?.computedRows,
  ]);
  const names = ['namesakes'];
  expect(Object.fromEntries(open)).toEqual({ some: names, all: names, admin: names });
});
