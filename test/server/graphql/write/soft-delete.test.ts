import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { query } from '../../../support/query.ts';
import { dataOf } from '../support/data-of.ts';
import { errorOf } from '../support/error-of.ts';
import { type Ask, type Gateway, startGateway } from '../support/gateway.ts';

const schema = `
create table doc (
  id integer primary key, org integer not null, owner text, deleted boolean not null default false, title text,
  n integer not null default 0, tags text[], data jsonb
);
create table comment (id integer primary key, doc_id integer references doc);
create schema "o'dd ""s";
create table "o'dd ""s"."t $1 '" ("i""d '$2" integer primary key, "gone $1" boolean default false, "t$3" text);
create table box (id integer primary key, open boolean);
create table item (id integer primary key, box_id integer references box, word varchar(10));
insert into box values (1, true), (2, false);
`;

const own = '{ org: { _eq: X-Gql-Org } }';
const metadata = {
  'roles.yaml': 'roles: { editor: {}, binner: {}, mover: {} }\n',
  'tables/doc.yaml': `
table: doc
permissions:
  editor:
    select: { filter: { org: { _eq: X-Gql-Org }, deleted: { _eq: false } }, columns: '*' }
    insert: { check: ${own}, columns: '*' }
    update: { filter: ${own}, columns: '*', check: ${own} }
    delete: { filter: { owner: { _eq: X-Gql-User } } }
  # The preset hides the row from the role itself.
  binner:
    select: { filter: { deleted: { _eq: false } }, columns: [id, title] }
    update: { filter: {}, columns: [], set: { deleted: true } }
`,
  'tables/comment.yaml': `
table: comment
permissions: { editor: { select: { filter: {}, columns: '*' } } }
`,
  'tables/odd.yaml': `
table: { schema: 'o''dd "s', name: "t $1 '" }
graphql: { name: odd, columns: { 'i"d ''$2': id, gone $1: gone, t$3: text } }
permissions:
  editor:
    select: { filter: { gone $1: { _eq: false } }, columns: '*' }
    update: { filter: {}, columns: '*' }
`,
  'tables/box.yaml':
    'table: box\npermissions: { mover: { select: { filter: {}, columns: "*" } } }\n',
  'tables/item.yaml': `
table: item
permissions:
  mover:
    select: { filter: { box: { open: true } }, columns: '*' }
    update: { filter: {}, columns: [box_id, word] }
`,
};

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ schema, metadata });
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  await asOwner(`truncate doc cascade;
    insert into doc (id, org, owner, title) values (1, 1, 'ann', 'a'), (2, 1, 'bob', 'b'), (3, 2, 'ann', 'c');
    insert into doc (id, org, owner, title, deleted) values (4, 1, 'ann', 'd', true)`);
});

const asOwner = (sql: string) => query<object>(gateway.database.ownerUrl, sql);

const titles = async () =>
  (await asOwner('select id, title, deleted from doc order by id')).map((row) =>
    Object.values(row).join(' '),
  );
const untouched = ['1 a false', '2 b false', '3 c false', '4 d true'];

const ann: Ask = { role: 'editor', variables: { Org: '1', User: 'ann' } };

async function write(query: string, ask = ann) {
  return dataOf(await gateway.ask(`mutation { ${query} }`, ask));
}

const refused = async (query: string, ask = ann) =>
  errorOf(await gateway.ask(`mutation { ${query} }`, ask));

describe('a soft delete (an update that hides the row from the role)', () => {
  test('counts the hidden rows in affected_rows', async () => {
    expect(
      await write(
        'update_doc(where: {title: {_in: ["a", "b", "c"]}}, _set: {deleted: true}) { affected_rows }',
      ),
    ).toEqual({
      update_doc: { affected_rows: 2 },
    });
    expect(await titles()).toEqual(['1 a true', '2 b true', '3 c false', '4 d true']);
    expect((await gateway.ask('{ doc { id } }', ann)).data).toEqual({ doc: [] });
  });

  test('writes special characters, arrays, JSON and nulls correctly', async () => {
    const query = `mutation ($tags: [String], $data: jsonb, $where: doc_bool_exp!) {
      update_doc(where: $where, _set: {deleted: true, title: "it's $1 \\"x\\" \\\\", tags: $tags, data: $data, n: 3}) {
        affected_rows kind: __typename } }`;
    const tags = ['a"b', 'c\\d', null, '{e}', 'NULL', ''];
    const data = { 'k"': ["it's", null, 1.5] };
    const where = { _or: [{ id: { _eq: 1 } }, { title: { _in: ['zz', "it's", '$2'] } }] };
    expect(await gateway.ask(query, { ...ann, with: { tags, data, where } })).toEqual({
      data: { update_doc: { affected_rows: 1, kind: 'doc_mutation_response' } },
    });
    expect(await asOwner('select title, tags, data, n, deleted from doc where id = 1')).toEqual([
      { title: 'it\'s $1 "x" \\', tags, data, n: 3, deleted: true },
    ]);
  });

  test('can be combined with other mutations in one operation', async () => {
    expect(
      await write(`a: update_doc(where: {id: {_eq: 1}}, _set: {deleted: true}) { affected_rows }
        b: update_doc_many(updates: [{where: {id: {_eq: 1}}, _set: {title: "no"}}, {where: {id: {_eq: 2}}, _set: {deleted: true}}]) { affected_rows }
        c: insert_doc_one(object: {id: 9, org: 1, owner: "ann"}) { id }
        d: delete_doc_by_pk(id: 9) { id }`),
    ).toEqual({
      a: { affected_rows: 1 },
      b: [{ affected_rows: 0 }, { affected_rows: 1 }],
      c: { id: 9 },
      d: { id: 9 },
    });
  });

  test('is refused if the row fails the check of the rule', async () => {
    expect(
      await refused(
        'update_doc(where: {id: {_eq: 1}}, _set: {deleted: true, org: 2}) { affected_rows }',
      ),
    ).toBe('permission-error $ check constraint of an insert/update permission has failed');
    expect(await titles()).toEqual(untouched);
  });

  test.each([
    ['update_doc(where: {id: {_eq: 1}}, _set: {deleted: true}) { affected_rows returning { id } }'],
    ['update_doc(where: {id: {_eq: 1}}, _set: {deleted: true}) { returning { comments { id } } }'],
    ['update_doc_by_pk(pk_columns: {id: 1}, _set: {deleted: true}) { id }'],
    ['update_doc(where: {id: {_eq: 1}}, _set: {deleted: true}, _inc: {n: 1}) { affected_rows }'],
  ])(
    'is refused if it would return the hidden row, or computes with its old values: %s',
    async (query) => {
      expect(await refused(query)).toBe(
        'permission-error $ check constraint of an insert/update permission has failed, or the role may not select the row: then use _set alone and ask for affected_rows alone',
      );
      expect(await titles()).toEqual(untouched);
    },
  );

  test('that leaves the row visible may return the row and compute with its old values', async () => {
    expect(
      await write('update_doc(where: {id: {_eq: 1}}, _set: {deleted: false}) { returning { id } }'),
    ).toEqual({
      update_doc: { returning: [{ id: 1 }] },
    });
    expect(
      await write(
        'update_doc(where: {id: {_eq: 1}}, _set: {deleted: false}, _inc: {n: 2}) { affected_rows }',
      ),
    ).toEqual({ update_doc: { affected_rows: 1 } });
  });

  test('works in a table whose names contain quotes and dollar signs', async () => {
    await asOwner(`insert into "o'dd ""s"."t $1 '" values (1, false, '$1'), (2, false, '''')`);
    const query = `mutation ($t: String!) { update_odd(where: {text: {_eq: $t}}, _set: {gone: true, text: "$2 \\"x"}) { affected_rows } }`;
    expect(await gateway.ask(query, { ...ann, with: { t: "'" } })).toEqual({
      data: { update_odd: { affected_rows: 1 } },
    });
    expect(await asOwner(`select * from "o'dd ""s"."t $1 '" order by 1 desc limit 1`)).toEqual([
      { 'i"d \'$2': 2, 'gone $1': true, t$3: '$2 "x' },
    ]);
  });

  test('may have a condition on another table, and set a foreign key', async () => {
    await asOwner("truncate item; insert into item values (1, 1, 'a'), (2, 1, 'b'), (3, 2, 'c')");
    const query = `update_item(where: {_or: [{box: {id: {_eq: 1}}, word: {_in: ["a", "x"]}}, {box: {open: {_eq: false}}}]}, _set: {box_id: 2, word: "moved"}) { affected_rows }`;
    expect(await write(query, { role: 'mover' })).toEqual({ update_item: { affected_rows: 1 } });
    expect(await asOwner('select id from item where box_id = 2 order by id')).toEqual([
      { id: 1 },
      { id: 3 },
    ]);
    const long =
      'update_item(where: {id: {_eq: 2}}, _set: {box_id: 2, word: "far too long a word"}) { affected_rows }';
    expect(await refused(long, { role: 'mover' })).toBe(
      'data-exception $.selectionSet.update_item.args a text is longer than its column allows',
    );
  });

  test('can be done by a preset of the update rule', async () => {
    expect(
      await write('update_doc(where: {id: {_lt: 3}}) { affected_rows }', { role: 'binner' }),
    ).toEqual({
      update_doc: { affected_rows: 2 },
    });
    expect(await titles()).toEqual(['1 a true', '2 b true', '3 c false', '4 d true']);
  });
});
