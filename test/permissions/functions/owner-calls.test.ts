import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inspectDrift } from '../../../permissions/drift/inspect-drift.ts';
import { loadModel } from '../../../permissions/index.ts';
import type { Model } from '../../../permissions/types/model.ts';
import { ask, failureOf } from '../support/as-role.ts';
import { type Installation, install } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';

const schema = `
create schema "odd ""schema";
create table doc (id integer primary key, org integer not null, secret text not null, "given 1" text);
create function docs(session jsonb, like_this text default '%') returns setof doc language sql stable
  as $$ select * from doc where secret like like_this and (session ->> 'x-gql-org')::integer = org $$;
create function "odd ""schema"."odd "" name"("given 1" text, "key 1" integer default 5) returns setof doc language sql stable
  as $$ select * from doc where id > "key 1" - 5 $$;
create function made_up() returns setof doc language sql stable as $$ values (8, 1, 'made', null::text), (9, 2, 'up', null) $$;
create function plain() returns setof doc language sql stable as 'select * from doc';
create function noted(doc, session jsonb, extra text default '') returns text language sql stable
  as $$ select concat($1.secret, ' ', session ->> 'x-gql-org', extra) $$;
revoke execute on all functions in schema public, "odd ""schema" from public;
create function touched() returns setof doc language sql volatile as $$ update doc set secret = secret returning * $$;
revoke execute on function touched() from public;
create function opened(session jsonb) returns setof doc language sql stable security definer set search_path = public, pg_temp
  as $$ select * from doc where (session ->> 'x-gql-org')::integer = org $$;
insert into doc values (1, 1, 'mine'), (2, 2, 'theirs'), (3, 2, 'too');
create table mark (id integer primary key, doc_id integer, stars integer);
create function marks_of(doc, "from" integer default 0) returns setof mark language sql stable
  as $$ select * from mark where doc_id = $1.id and stars >= "from" $$;
create function best(doc, "from" integer default 0) returns integer language sql stable
  as $$ select max(stars) from mark where doc_id = $1.id and stars >= "from" $$;
revoke execute on function marks_of(doc, integer), best(doc, integer) from public;
insert into mark values (1, 1, 10), (2, 2, 20), (3, 3, 30);
`;
const files = {
  'roles.yaml': `roles:
  part: {}
  whole: {}
  other: {}
  titles: {}
  numbers: {}
  stars: {}
  blind: { inherits: [titles, stars] }
  sighted: { inherits: [titles, numbers, stars] }
`,
  'tables/doc.yaml': `
table: doc
computed_fields:
  noted: { function: noted, session_argument: session, rights: owner }
  marks: { function: marks_of, rights: owner }
  best: { function: best, rights: owner }
permissions:
  part: { select: { filter: { org: X-Gql-Org }, columns: [id, given 1], computed_fields: [noted] } }
  whole: { select: { filter: { org: X-Gql-Org }, columns: '*' } }
  other: { select: { filter: {}, columns: '*' } }
  titles: { select: { filter: { org: 2 }, columns: [given 1] } }
  numbers: { select: { filter: { id: { _in: [1, 3] } }, columns: [id], computed_fields: [best] } }
`,
  'tables/mark.yaml': `
table: mark
permissions:
  stars: { select: { filter: {}, columns: [stars] } }
`,
  'functions/docs.yaml':
    'function: docs\nsession_argument: session\nrights: owner\npermissions: [part]\n',
  'functions/odd.yaml':
    'function: { schema: odd "schema, name: odd " name }\nrights: owner\npermissions: [part]\n',
  'functions/made-up.yaml': 'function: made_up\nrights: owner\npermissions: [part]\n',
  'functions/opened.yaml':
    'function: opened\nsession_argument: session\nrights: owner\npermissions: [part]\n',
  'functions/touched.yaml': 'function: touched\nexposed_as: query\nrights: owner\n',
  'functions/plain.yaml': 'function: plain\npermissions: [whole]\n',
};

let made: Installation;
let login: pg.Client;
const name = `${randomBytes(4).toString('hex')}_login`;
beforeAll(async () => {
  made = await install({ schema, rules: files });
  const superuser = await made.database.connectSuperuser();
  await superuser.query(`revoke temporary on database "${made.database.name}" from public`);
  await superuser.query(`create role "${name}" login in role ${made.prefix}part`);
  await superuser.query(
    `insert into rowgate.login_variable (login, name, value) values ('"${name}"'::regrole, 'org', '1')`,
  );
  login = await made.connectAs(name);
});
afterAll(async () => {
  await login.end();
  const superuser = await made.database.connectSuperuser();
  await superuser.query(`delete from rowgate.login_variable; drop role "${name}"`);
  await made.drop();
  await removeMetadata();
});

/** Returns the function by which Rowgate calls a user-defined function for a role. */
async function callOf(role: string, called: string): Promise<string> {
  const { rows } = await made.owner.query(
    `select p.oid::regproc::text as name from pg_proc p
     where p.pronamespace = 'rowgate_api'::regnamespace and has_function_privilege($1, p.oid, 'execute')
       and (pg_get_functiondef(p.oid) like '%call\\_%' and obj_description(p.oid, 'pg_proc') like $2)`,
    [`${made.prefix}${role}`, `%${called}%`],
  );
  expect(rows).toHaveLength(1);
  return rows[0].name;
}

describe('a direct login that calls a function with `rights: owner` through its call function', () => {
  const mayMakeTemporary = async (verb: 'grant' | 'revoke', word: 'to' | 'from') => {
    const superuser = await made.database.connectSuperuser();
    await superuser.query(
      `${verb} temporary on database "${made.database.name}" ${word} "${name}"`,
    );
  };
  beforeAll(() => mayMakeTemporary('grant', 'to'));
  afterAll(() => mayMakeTemporary('revoke', 'from'));

  test('gets only the rows that the rule of its role allows for its stored variables', async () => {
    const call = await callOf('part', 'functions/docs.yaml');
    expect((await ask(login, `select * from ${call}()`)).rows).toEqual([['1', null]]);
  });

  test('gets the same rows after it changed a session variable', async () => {
    const call = await callOf('part', 'functions/docs.yaml');
    await login.query("select set_config('gql.org', '2', false)");
    expect((await ask(login, `select * from ${call}('%')`)).rows).toEqual([['1', null]]);
    const field = await callOf('part', 'tables/doc.yaml');
    expect((await ask(login, `select ${field}(1), ${field}(2)`)).rows).toEqual([['mine 1', null]]);
  });

  test("cannot pass session variables as an argument, neither to the call function nor to the user's function", async () => {
    const call = await callOf('part', 'functions/docs.yaml');
    const forged = ask(login, `select * from ${call}('%', '{"x-gql-org":"2"}')`);
    expect((await failureOf(forged)).code).toBe('42883');
    const direct = ask(login, `select * from docs('{"x-gql-org":"2"}')`);
    expect((await failureOf(direct)).code).toBe('42501');
  });

  test('cannot call a security definer function directly, although PUBLIC could before apply', async () => {
    const direct = ask(login, `select * from opened('{"x-gql-org":"2"}')`);
    expect((await failureOf(direct)).code).toBe('42501');
    const call = await callOf('part', 'functions/opened.yaml');
    expect((await ask(login, `select * from ${call}()`)).rows).toEqual([['1', null]]);
  });

  test('does not get rows that the function makes up and the rule does not allow', async () => {
    const call = await callOf('part', 'functions/made-up.yaml');
    expect((await ask(login, `select * from ${call}()`)).rows).toEqual([['8', null]]);
  });

  test('gets no hidden row from a condition that prints its argument', async () => {
    await login.query(`create function pg_temp.tell(integer) returns boolean language plpgsql cost 0.0001
      as $$ begin raise notice '%', $1; return true; end $$`);
    const noticed: string[] = [];
    login.on('notice', ({ message }) => noticed.push(String(message)));
    const call = await callOf('part', 'functions/odd.yaml');
    await login.query(`select * from ${call}('x') where pg_temp.tell(id)`);
    expect(noticed).toEqual(['1']);
  });

  test('cannot replace a table of the function by a temporary table', async () => {
    await login.query(
      'create temp table doc (id integer, org integer, secret text, "given 1" text)',
    );
    await login.query("insert into pg_temp.doc values (77, 1, 'planted', null)");
    await login.query('set search_path = pg_temp, public, pg_catalog');
    const call = await callOf('part', 'functions/docs.yaml');
    const { rows } = await ask(login, `select * from ${call}()`);
    await login.query('reset search_path');
    expect(rows).toEqual([['1', null]]);
  });
});

test.each(['whole', 'other'])(
  "role %s, which the function's file does not list, cannot call the call function of a listed role",
  async (role) => {
    const call = await callOf('part', 'functions/docs.yaml');
    const refused = await failureOf(made.ask(role, { org: '2' }, `select * from ${call}()`));
    expect(refused.code).toBe('42501');
  },
);

test('a function with the rights of its caller can be called only by the role that its file lists', async () => {
  const rows = await made.ask('whole', { org: '2' }, 'select id from plain() order by id');
  expect(rows.rows).toEqual([['2'], ['3']]);
  expect((await failureOf(made.ask('other', {}, 'select id from plain()'))).code).toBe('42501');
});

test('with inferred permissions, a role that may select the result may call a stable function but not a volatile one', async () => {
  const { metadata, prefix: rolePrefix, owner: client } = made;
  const options = { metadata, rolePrefix, client, headerPrefix: 'X-Gql-' };
  const { roles } = await loadModel({ ...options, inferFunctionPermissions: true });
  const inferred = roles.get('other')?.functions;
  expect(inferred).toContain('public.plain');
  expect(inferred).not.toContain('public.touched');
});

describe('a computed field whose function receives the key of the row', () => {
  const callsTo = async (role: string, result: string): Promise<string> => {
    const { rows } = await made.owner.query(
      `select p.oid::regproc::text as name from pg_proc p
       where p.pronamespace = 'rowgate_api'::regnamespace and p.proname like 'field\\_%'
         and has_function_privilege($1, p.oid, 'execute') and pg_get_function_result(p.oid) like $2`,
      [`${made.prefix}${role}`, result],
    );
    return rows.map(({ name: one }) => one).join();
  };

  test('returns no rows for a guessed key of a row that the role may not identify', async () => {
    const call = await callsTo('sighted', 'TABLE%');
    const query = `select k, m.stars from generate_series(1, 3) k, ${call}(k) m order by k`;
    expect((await made.ask('sighted', {}, query)).rows).toEqual([
      ['1', '10'],
      ['3', '30'],
    ]);
  });

  test('returns null for a guessed key of a row that the role may not identify', async () => {
    const call = await callsTo('sighted', 'integer');
    const query = `select k, ${call}(k) from generate_series(1, 3) k order by k`;
    expect((await made.ask('sighted', {}, query)).rows).toEqual([
      ['1', '10'],
      ['2', null],
      ['3', '30'],
    ]);
  });

  test('is not offered to a role that inherits no rule that shows the key', async () => {
    expect(await callsTo('blind', '%')).toBe('');
    const model = await made.model();
    expect(model.roles.get('blind')?.tables.get('public.doc')?.computedRows).toEqual([]);
  });
});

test("a function with `rights: owner` returns no rows when a variable of the role's rule is missing", async () => {
  const call = await callOf('part', 'functions/odd.yaml');
  expect((await made.ask('part', {}, `select * from ${call}('x')`)).rows).toEqual([]);
});

test('a call function still calls the same function after a function of the same name was created', async () => {
  const call = await callOf('part', 'functions/docs.yaml');
  await made.owner.query(`create function docs(jsonb, varchar) returns setof doc language sql
    as $$ values (1, 1, 'x', 'other') $$`);
  const asked = await made.ask('part', { org: '1' }, `select * from ${call}('%'::varchar)`);
  await made.owner.query('drop function docs(jsonb, varchar)');
  expect(asked.rows).toEqual([['1', null]]);
});

/** Returns the changes that apply would make after this SQL, and makes them. */
async function pendingAfter(sql: string): Promise<readonly string[]> {
  await made.owner.query(sql);
  const pending = await made.pending();
  await made.apply();
  expect(await made.pending()).toEqual([]);
  const plain = (text: string) => text.replaceAll(made.prefix, 'P_');
  return pending.map(plain).map((text) => text.replace(/_[0-9a-f]{16}/g, ''));
}

describe('apply, for functions with `rights: owner`,', () => {
  test('reports a login that could hide a table of such a function behind a temporary table', async () => {
    const superuser = await made.database.connectSuperuser();
    await superuser.query(`grant temporary on database "${made.database.name}" to "${name}"`);
    const findings = await made.findings();
    await superuser.query(`revoke temporary on database "${made.database.name}" from "${name}"`);
    expect(findings.map(({ code }) => code)).toContain('RG_EXTRA_PRIVILEGE');
  });

  test('makes no changes the second time', async () => {
    expect(await made.pending()).toEqual([]);
  });

  test('restores a call function that was set to run with the rights of its caller', async () => {
    const call = await callOf('part', 'functions/made-up.yaml');
    const superuser = await made.database.connectSuperuser();
    await superuser.query(`alter function ${call}() security invoker`);
    expect(await pendingAfter('select 1')).toEqual([
      'replace call function of public.made_up by part',
      'replace grant execute on function rowgate_api.function(…) to P_part',
    ]);
  });

  test("replaces the call function when the default of an argument of the user's function has changed", async () => {
    const pending = await pendingAfter(
      `create or replace function docs(session jsonb, like_this text default 'm%') returns setof doc language sql stable
       as $$ select * from doc where secret like like_this $$`,
    );
    expect(pending).toContain('replace call function of public.docs by part');
  });

  test("grants execute to the roles again when the user's function was dropped and created again", async () => {
    const pending = await pendingAfter(`drop function plain();
      create function plain() returns setof doc language sql stable as 'select * from doc';
      revoke execute on function plain() from public`);
    expect(pending).toEqual([
      'create grant execute on function public.plain() to P_whole',
      'create grant execute on function public.plain() to P_admin',
    ]);
  });

  test('revokes execute from PUBLIC on a security definer function, not on one with the rights of its caller', async () => {
    const opened = 'grant execute on function opened(jsonb), plain() to public';
    expect(await pendingAfter(opened)).toEqual(['drop execute on public.opened(jsonb) of public']);
    await made.owner.query('revoke execute on function plain() from public');
  });

  test('drops the call functions when the file of the function is removed', async () => {
    const { 'functions/made-up.yaml': _, ...rest } = files;
    await made.rewrite(rest);
    const pending = await pendingAfter('select 1');
    await made.rewrite(files);
    await made.apply();
    expect(pending.filter((text) => text.startsWith('drop call function'))).toHaveLength(2);
  });
});

describe('a user-defined function that changes after its rules were applied', () => {
  /** Returns the findings of drift after the change. */
  const drift = async (change: string) => {
    const subject = { model, login: `${made.prefix}gateway_login` };
    await made.owner.query(change);
    const seen = await inspectDrift(made.owner, subject);
    return seen?.drift.differences.filter(({ kind }) => kind === 'finding').map(({ text }) => text);
  };
  const root = 'RG_FUNCTION root field "plain" calls public.plain, which';
  const field = 'RG_FUNCTION computed field "noted" of public.doc calls public.noted, which';
  let model: Model;
  beforeAll(async () => {
    model = await made.model();
    expect(await drift('select 1')).toEqual([]);
  });

  test.each([
    ['plain() security definer', `${root} acts with the rights of its owner now`],
    ['plain() volatile', `${root} is volatile now`],
    ['noted(doc, jsonb, text) volatile', `${field} is volatile now`],
    ['noted(doc, jsonb, text) security definer', `${field} acts with the rights of its owner now`],
  ])('is reported as drift when it has %s', async (change, text) => {
    expect(await drift(`alter function ${change}`)).toContain(text);
    const name = change.slice(0, change.indexOf(')') + 1);
    expect(await drift(`alter function ${name} stable security invoker`)).toEqual([]);
  });

  test('is reported as drift when its result changes from many rows to one', async () => {
    const made = (result: string) => `drop function plain();
      create function plain() returns ${result} language sql stable as 'select * from doc'`;
    expect(await drift(made('doc'))).toEqual([`${root} returns something else now`]);
    expect(await drift(made('setof doc'))).toEqual([]);
  });
});
