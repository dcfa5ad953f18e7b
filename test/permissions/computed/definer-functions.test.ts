import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, failureOf } from '../support/as-role.ts';
import { type Installation, install } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';

const definer = 'language sql stable security definer set search_path = public, pg_temp as';
const schema = `
create table doc (id integer primary key, org integer not null, secret text not null);
create table note (id integer primary key, org integer not null);
create table loose (id integer);
create function sum_secret(doc) returns text ${definer}
  $$ select string_agg(secret, ',' order by id) from doc where org = $1.org $$;
create function who(doc, session jsonb) returns text ${definer}
  $$ select string_agg(secret, ',') from doc where org = (session ->> 'x-gql-org')::integer $$;
create function more(doc, extra text) returns text ${definer} $$ select secret || extra from doc where id = $1.id $$;
create function notes(doc) returns setof note ${definer} 'select * from note where org = $1.org';
create function noted(doc, session jsonb) returns setof note ${definer}
  $$ select * from note where org = (session ->> 'x-gql-org')::integer $$;
create function size_of(loose) returns integer ${definer} 'select $1.id';
revoke execute on all functions in schema public from public;
insert into doc values (1, 1, 'mine'), (2, 2, 'theirs'), (3, 2, 'too');
insert into note values (1, 1), (2, 2);
`;
const rules = {
  'roles.yaml': 'roles: { part: {}, whole: {}, everything: {} }\n',
  'tables/doc.yaml': `
table: doc
computed_fields:
  sum_secret: { function: sum_secret }
  who: { function: who, session_argument: session }
  more: { function: more }
  notes: { function: notes }
  noted: { function: noted, session_argument: session }
permissions:
  part: { select: { filter: { org: X-Gql-Org }, columns: [id], computed_fields: [sum_secret, who] } }
  whole: { select: { filter: { org: X-Gql-Org }, columns: '*', computed_fields: [sum_secret, who] } }
  everything: { select: { filter: {}, columns: '*', computed_fields: '*' } }
`,
  'tables/note.yaml': `
table: note
permissions:
  whole: { select: { filter: {}, columns: '*' } }
  everything: { select: { filter: {}, columns: '*' } }
`,
  'tables/loose.yaml': `
table: loose
computed_fields: { size: { function: size_of } }
permissions:
  everything: { select: { filter: {}, columns: '*', computed_fields: '*' } }
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

/** Returns the view through which a role reads computed fields whose functions have the rights of their owner. */
async function viewOf(role: string): Promise<string> {
  const { rows } = await made.owner.query(
    "select c.oid::regclass::text as view from pg_class c where c.relname like 'computed\\_%' and has_table_privilege($1, c.oid, 'select')",
    [`${made.prefix}${role}`],
  );
  expect(rows).toHaveLength(1);
  return rows[0].view;
}

describe.each(['part', 'whole'])(
  'a direct login whose role may read the %s of each row',
  (role) => {
    const name = `${randomBytes(4).toString('hex')}_login`;
    let login: pg.Client;
    beforeAll(async () => {
      const superuser = await made.database.connectSuperuser();
      await superuser.query(`create role "${name}" login in role ${made.prefix}${role}`);
      login = await made.connectAs(name);
    });
    afterAll(async () => {
      await login.end();
      const superuser = await made.database.connectSuperuser();
      await superuser.query(`drop role "${name}"`);
    });

    test.each([
      ['row', "select sum_secret(row(0, 2, '')::doc)"],
      ['session', `select who(row(0, 2, '')::doc, '{"x-gql-org":"2"}')`],
      ['row for a result of rows', "select * from notes(row(0, 2, '')::doc)"],
      [
        'session for a result of rows',
        `select * from noted(row(0, 2, '')::doc, '{"x-gql-org":"2"}')`,
      ],
    ])(
      'cannot pass a made-up %s to a security definer function of a computed field',
      async (_, sql) => {
        const { code, message } = await failureOf(ask(login, sql));
        expect([code, message]).toEqual(['42501', expect.stringContaining('for function')]);
      },
    );

    test('cannot call the wrapper functions that its view of computed fields calls', async () => {
      const { rows } = await made.owner.query(
        "select p.proname from pg_proc p where p.proname like 'call\\_%' and p.pronargs = 1",
      );
      const called = ask(login, `select rowgate_policy.${rows[0].proname}(row(0, 2, '')::doc)`);
      expect((await failureOf(called)).message).toBe('permission denied for schema rowgate_policy');
    });
  },
);

describe('a computed field whose function is security definer', () => {
  test.each(['part', 'whole'])(
    'returns values for the rows of a role that reads the %s of each row',
    async (role) => {
      const sql = `select id, sum_secret, who from ${await viewOf(role)}`;
      expect((await made.ask(role, { org: '1' }, sql)).rows).toEqual([['1', 'mine', 'mine']]);
    },
  );

  test('is not offered to any role when the table has no key by which the row could be found', async () => {
    const model = await made.model();
    const fields = ['everything', 'admin'].map((role) => {
      const { tables } = model.roles.get(role) ?? {};
      const doc = tables?.get('public.doc');
      return [doc?.select?.computedFields, tables?.get('public.loose')?.select?.computedFields];
    });
    expect(fields).toEqual([
      [['sum_secret', 'who', 'more'], []],
      [['sum_secret', 'who', 'more'], []],
    ]);
  });

  test('returns rows of another table only to roles that may select from that table', async () => {
    const model = await made.model();
    const rows = [...model.roles].map(([name, { tables }]) => [
      name,
      tables.get('public.doc')?.computedRows,
    ]);
    expect(Object.fromEntries(rows)).toEqual({
      part: [],
      whole: ['notes', 'noted'],
      everything: ['notes', 'noted'],
      admin: ['notes', 'noted'],
    });
  });

  test('loses the execute privilege that a role held on its function before apply', async () => {
    await made.owner.query(`grant execute on function sum_secret(doc) to ${made.prefix}whole`);
    const pending = await made.pending();
    await made.apply();
    expect(pending).toEqual([
      `drop execute on public.sum_secret(public.doc) of ${made.prefix}whole`,
    ]);
  });
});
