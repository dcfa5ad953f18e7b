import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { errorOf } from '../support/error-of.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';

const schema = `
create table doc (
  id integer primary key, owner text, hidden boolean not null default false, n integer default 0, small smallint,
  constraint doc_owner_key unique (owner)
);
create function same(one doc) returns setof doc language sql stable as $$ select * from doc where id = one.id $$;
create function tally(one doc, times integer default 2) returns integer language sql stable as $$ select one.n * times $$;
create function owned_tally(one doc, times integer default 2) returns integer language sql stable security definer
  set search_path = public, pg_temp as $$ select one.n * times $$;
revoke execute on function owned_tally(doc, integer) from public;
create table bare (id integer generated always as identity primary key, word text default 'w');
`;

const metadata = {
  'roles.yaml':
    'roles: { narrow: {}, wide: {}, upserter: {}, blind: {}, filler: {}, changer: {}, keyless: {} }\n',
  'tables/doc.yaml': `
table: doc
computed_fields: { same: { function: same }, tally: { function: tally }, owned_tally: { function: owned_tally } }
permissions:
  narrow:
    select: { filter: { hidden: { _eq: false } }, columns: '*' }
    insert: { check: {}, columns: '*' }
    update: { filter: {}, columns: '*' }
    delete: { filter: {} }
  wide:
    select: { filter: {}, columns: '*', computed_fields: '*' }
    update: { filter: {}, columns: '*' }
    delete: { filter: {} }
  upserter:
    select: { filter: {}, columns: [id, n] }
    insert: { check: { n: { _lt: 10 } }, columns: [id, owner, n] }
    update: { filter: { n: { _gt: 0 } }, columns: [owner, n] }
  keyless:
    select: { filter: {}, columns: [owner, n] }
    insert: { check: {}, columns: '*' }
    update: { filter: { n: { _gt: 0 } }, columns: [n] }
  blind: { insert: { check: {}, columns: '*' } }
  changer: { select: { filter: {}, columns: [id], computed_fields: [tally] }, update: { filter: {}, columns: [n] } }
`,
  'tables/bare.yaml': `
table: bare
permissions:
  filler: { insert: { check: {}, columns: [] } }
`,
};

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ schema, metadata });
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  const owner = await gateway.database.connectOwner();
  await owner.query(`truncate doc;
    insert into doc (id, owner, hidden, n) values (1, 'ann', false, 1), (2, 'bob', true, 2), (3, null, false, 0)`);
  await owner.end();
});

const ask = (role: string, field: string) => gateway.ask(`mutation { ${field} }`, { role });
const data = async (role: string, field: string) => (await ask(role, field)).data;
const error = async (role: string, field: string) => errorOf(await ask(role, field));

/** One for each line of the README's table, by what stands first in it. */
const differences: Readonly<Record<string, () => Promise<void>>> = {
  'Updates and deletes with a condition touch only rows that the select rule shows': async () => {
    const update = 'update_doc(where: {id: {_in: [1, 2]}}, _set: {n: 7}) { affected_rows }';
    const remove = 'delete_doc(where: {id: {_in: [1, 2]}}) { affected_rows }';
    expect(await data('narrow', update)).toEqual({ update_doc: { affected_rows: 1 } });
    expect(await data('wide', update)).toEqual({ update_doc: { affected_rows: 2 } });
    const all = 'update_doc(where: {}, _set: {n: 8}) { affected_rows }';
    expect(await data('narrow', all)).toEqual({ update_doc: { affected_rows: 3 } });
    expect(await data('narrow', remove)).toEqual({ delete_doc: { affected_rows: 1 } });
    expect(await data('wide', remove)).toEqual({ delete_doc: { affected_rows: 1 } });
  },
  'A written row that the select rule hides is not returned: the write is refused': async () => {
    const insert = (fields: string) => `insert_doc(objects: {id: 9, hidden: true}) { ${fields} }`;
    expect(await error('narrow', insert('returning { id }'))).toContain(
      'permission-error $.selectionSet.insert_doc.args.objects',
    );
    expect(await data('narrow', insert('affected_rows'))).toEqual({
      insert_doc: { affected_rows: 1 },
    });
  },
  'An update that takes rows out of sight takes `_set` alone, and no upsert does it': async () => {
    const where = 'where: {id: {_eq: 1}}, _set: {hidden: true}';
    const refused =
      /^permission-error .* may not select the row: then use _set alone and ask for affected_rows alone$/;
    expect(await error('narrow', `update_doc(${where}, _inc: {n: 1}) { affected_rows }`)).toMatch(
      refused,
    );
    expect(await error('narrow', `update_doc(${where}) { returning { id } }`)).toMatch(refused);
    const conflict = 'on_conflict: {constraint: doc_pkey, update_columns: [hidden]}';
    expect(
      await error(
        'narrow',
        `insert_doc(objects: {id: 1, hidden: true}, ${conflict}) { affected_rows }`,
      ),
    ).toContain('permission-error');
    expect(await data('narrow', `update_doc(${where}) { affected_rows }`)).toEqual({
      update_doc: { affected_rows: 1 },
    });
  },
  '`on_conflict` needs a select rule that shows the new row and the one in the way, and offers constraints and `update_columns` that the role may read':
    async () => {
      const upsert = (constraint: string, columns: string) =>
        `insert_doc(objects: {id: 1, n: 5}, on_conflict: {constraint: ${constraint}, update_columns: [${columns}]}) { affected_rows }`;
      expect(await error('blind', upsert('doc_pkey', ''))).toContain(
        "no argument named 'on_conflict'",
      );
      const row = 'objects: {id: 9, hidden: true}';
      expect(await data('narrow', `insert_doc(${row}) { affected_rows }`)).toBeDefined();
      expect(
        await error(
          'narrow',
          `insert_doc(${row}, on_conflict: {constraint: doc_pkey}) { affected_rows }`,
        ),
      ).toContain('permission-error');
      expect(await error('upserter', upsert('doc_owner_key', ''))).toContain("['doc_pkey']");
      expect(await error('upserter', upsert('doc_pkey', 'owner'))).toContain("values ['n'] for");
      expect(await error('keyless', upsert('doc_owner_key', 'n'))).toContain("['_PLACEHOLDER']");
      expect(await data('upserter', upsert('doc_pkey', 'n'))).toEqual({
        insert_doc: { affected_rows: 1 },
      });
    },
  "An upsert's row must pass the insert check even where it only changes another row": async () => {
    const conflict = 'on_conflict: {constraint: doc_pkey, update_columns: [n]}';
    const upsert = (n: number) =>
      `insert_doc(objects: {id: 1, n: ${n}}, ${conflict}) { affected_rows }`;
    expect(await error('upserter', upsert(10))).toContain('permission-error');
    expect(await data('upserter', upsert(9))).toEqual({ insert_doc: { affected_rows: 1 } });
    const update = 'update_doc(where: {id: {_eq: 1}}, _set: {n: 10}) { affected_rows }';
    expect(await data('upserter', update)).toEqual({ update_doc: { affected_rows: 1 } });
  },
  '`_inc`, `_append` and their like offer only columns that the role may read': async () => {
    const update = (change: string) =>
      `update_doc(where: {id: {_eq: 1}}, ${change}) { affected_rows }`;
    expect(await error('changer', update('_inc: {n: 1}'))).toContain("no argument named '_inc'");
    expect(await data('changer', update('_set: {n: 1}'))).toEqual({
      update_doc: { affected_rows: 1 },
    });
  },
  'An insert rule without columns and presets can insert nothing, unless the table has a generated column':
    async () => {
      const insert = 'insert_bare(objects: [{}]) { affected_rows }';
      expect(await error('filler', insert)).toBe(
        'permission-error $.selectionSet.insert_bare.args.objects permission denied',
      );
      expect((await gateway.ask(`mutation { ${insert} }`)).data.insert_bare.affected_rows).toBe(1);
    },
  'Messages of Postgres about values and about tables that the role does not know are replaced by general ones':
    async () => {
      const update = 'update_doc(where: {}, _set: {small: 40000}) { affected_rows }';
      expect(await error('wide', update)).toBe(
        'data-exception $.selectionSet.update_doc.args a number is out of the range of its type',
      );
      expect(errorOf(await gateway.ask(`mutation { ${update} }`))).toBe(
        'data-exception $.selectionSet.update_doc.args value "40000" is out of range for type smallint',
      );
    },
  'Values of `security definer` functions, and of all functions for roles that read a part of the columns, take no arguments and are null in what a deletion returns':
    async () => {
      const fields = 'tally(args: {times: 3}) owned_tally';
      const wide = (
        await gateway.ask(`{ doc(where: {id: {_eq: 1}}) { ${fields} } }`, { role: 'wide' })
      ).data;
      expect(wide).toEqual({ doc: [{ tally: 3, owned_tally: 2 }] });
      const refused = async (role: string, field: string) =>
        errorOf(await gateway.ask(`{ doc { ${field}(args: {times: 3}) } }`, { role }));
      expect(await refused('wide', 'owned_tally')).toContain("no argument named 'args'");
      expect(await refused('changer', 'tally')).toContain("no argument named 'args'");
      expect(await data('wide', `delete_doc_by_pk(id: 1) { ${fields} }`)).toEqual({
        delete_doc_by_pk: { tally: 3, owned_tally: null },
      });
    },
  'A computed field with rows is there only for roles that read every column, and its function sees what they see':
    async () => {
      const query = '{ doc(order_by: {id: asc}) { same { id } } }';
      const rows = (await gateway.ask(query, { role: 'narrow' })).data.doc;
      expect(rows).toEqual([{ same: [{ id: 1 }] }, { same: [{ id: 3 }] }]);
      expect(errorOf(await gateway.ask(query, { role: 'changer' }))).toContain(
        "field 'same' not found in type: 'doc'",
      );
    },
};

test.each(Object.entries(differences))('%s', (_name, prove) => prove());

test('the README lists these differences, and no others', async () => {
  const readme = await readFile(path.resolve(import.meta.dirname, '../../../../README.md'), 'utf8');
  const section = readme.split('### Known differences from Hasura')[1]?.split(/^##/m)[0] ?? '';
  const listed = [...section.matchAll(/^\| (.+?) \| .+ \| .+ \|$/gm)].map(([, what]) => what);
  expect(listed).toEqual(['what', ...Object.keys(differences)]);
});
