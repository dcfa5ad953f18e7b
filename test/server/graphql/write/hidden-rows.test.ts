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
create table comment (id integer primary key, doc_id integer references doc, org integer not null default 1, body text);
`;

const own = '{ org: { _eq: X-Gql-Org } }';
const metadata = {
  'roles.yaml': 'roles: { editor: {}, dropper: {}, keyless: {}, poster: {} }\n',
  'rowgate.yaml': 'references_visible: true\n',
  'tables/doc.yaml': `
table: doc
permissions:
  editor:
    select: { filter: { org: { _eq: X-Gql-Org }, deleted: { _eq: false } }, columns: '*' }
    insert: { check: ${own}, columns: '*' }
    update: { filter: ${own}, columns: '*', check: ${own} }
    delete: { filter: { owner: { _eq: X-Gql-User } } }
  # Inserts what it does not see.
  dropper:
    select: { filter: { owner: { _eq: X-Gql-User } }, columns: [id, owner] }
    insert: { check: {}, columns: [id, org, owner] }
  keyless:
    select: { filter: {}, columns: [title, n] }
    update: { filter: {}, columns: [n] }
    delete: { filter: {} }
  poster:
    select: { filter: { org: { _eq: X-Gql-Org } }, columns: [org, title] }
    insert: { check: {}, columns: [id, org, title] }
`,
  'tables/comment.yaml': `
table: comment
permissions:
  editor:
    select: { filter: {}, columns: '*' }
    insert: { check: {}, columns: '*' }
    update: { filter: {}, columns: '*' }
  poster:
    select: { filter: {}, columns: '*' }
    insert: { check: {}, columns: '*' }
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

describe('rows that a role may not see', () => {
  const none = { affected_rows: 0, returning: [] };
  test.each([
    [
      'update_doc(where: {id: {_eq: 3}}, _set: {title: "x"}) { affected_rows returning { id } }',
      none,
    ],
    [
      'update_doc(where: {id: {_eq: 4}}, _set: {title: "x"}) { affected_rows returning { id } }',
      none,
    ],
    [
      'update_doc(where: {title: {_eq: "c"}}, _set: {title: "x"}) { affected_rows returning { id } }',
      none,
    ],
    [
      'update_doc(where: {_not: {org: {_eq: 1}}}, _set: {title: "x"}) { affected_rows returning { id } }',
      none,
    ],
    [
      'update_doc(where: {id: {_gte: 3}}, _set: {deleted: true}) { affected_rows }',
      { affected_rows: 0 },
    ],
    ['update_doc_by_pk(pk_columns: {id: 3}, _set: {title: "x"}) { id }', null],
    ['update_doc_by_pk(pk_columns: {id: 4}, _inc: {n: 1}) { id }', null],
    [
      'update_doc_many(updates: {where: {id: {_eq: 3}}, _set: {title: "x"}}) { affected_rows returning { id } }',
      [none],
    ],
    ['delete_doc(where: {id: {_in: [2, 3, 4]}}) { affected_rows returning { id } }', none],
    ['delete_doc_by_pk(id: 3) { id title }', null],
    ['delete_doc_by_pk(id: 2) { id title }', null],
    [
      'insert_doc(objects: {id: 3, org: 1}, on_conflict: {constraint: doc_pkey, update_columns: [title]}) { affected_rows returning { id } }',
      none,
    ],
    [
      'insert_doc_one(object: {id: 3, org: 1}, on_conflict: {constraint: doc_pkey}) { id title }',
      null,
    ],
  ])('get the same answer as nonexistent rows: %s', async (query, expected) => {
    expect(Object.values(await write(query))).toEqual([expected]);
    expect(await titles()).toEqual(untouched);
  });

  test('are revealed only by a conflict with their key, and the error contains none of their values', async () => {
    expect(await refused('insert_doc_one(object: {id: 3, org: 1, title: "x"}) { id }')).toBe(
      'constraint-violation $.selectionSet.insert_doc_one.args.object Uniqueness violation. duplicate key value violates unique constraint "doc_pkey"',
    );
  });

  test("cannot be joined by a visible row that an update would move out of the role's select filter", async () => {
    expect(
      await refused('update_doc(where: {id: {_eq: 1}}, _set: {org: 2}) { affected_rows }'),
    ).toBe('permission-error $ check constraint of an insert/update permission has failed');
    expect(await titles()).toEqual(untouched);
  });
});

describe('a new row that the inserting role may not see', () => {
  const dropper: Ask = { role: 'dropper', variables: { User: 'ann' } };
  const refusal = (path: string) =>
    `permission-error ${path} check constraint of an insert/update permission has failed, or the role may not select the row: then ask for affected_rows alone`;

  test('is inserted and counted if the mutation selects only affected_rows', async () => {
    expect(
      await write(
        'insert_doc(objects: [{id: 8, org: 1, owner: "bob"}, {id: 9, org: 5}]) { affected_rows }',
        dropper,
      ),
    ).toEqual({
      insert_doc: { affected_rows: 2 },
    });
    expect(await titles()).toContain('8  false');
  });

  test('is refused if the mutation selects its columns', async () => {
    expect(
      await refused('insert_doc_one(object: {id: 8, org: 1, owner: "bob"}) { id }', dropper),
    ).toBe(refusal('$.selectionSet.insert_doc_one.args.object'));
    expect(
      await refused(
        'insert_doc(objects: {id: 8, org: 1}) { affected_rows returning { id } }',
        dropper,
      ),
    ).toBe(refusal('$.selectionSet.insert_doc.args.objects'));
    expect(
      await write('insert_doc_one(object: {id: 8, org: 1, owner: "ann"}) { id }', dropper),
    ).toEqual({
      insert_doc_one: { id: 8 },
    });
  });
});

describe('a role that may not read the primary key', () => {
  const keyless: Ask = { role: 'keyless' };
  test('can update and delete by conditions on other columns, and has no by_pk fields', async () => {
    expect(
      await write(
        'update_doc(where: {title: {_eq: "a"}}, _inc: {n: 4}) { returning { title n } } delete_doc(where: {title: {_eq: "b"}}) { returning { title } }',
        keyless,
      ),
    ).toEqual({
      update_doc: { returning: [{ title: 'a', n: 4 }] },
      delete_doc: { returning: [{ title: 'b' }] },
    });
    for (const name of ['update_doc_by_pk', 'delete_doc_by_pk']) {
      expect(await refused(`${name}(id: 1) { n }`, keyless)).toBe(
        `validation-failed $.selectionSet.${name} field '${name}' not found in type: 'mutation_root'; it does not exist or role "keyless" has no permission for it`,
      );
    }
  });
});

describe('foreign keys to rows that the role may not see', () => {
  test('are refused by a check on the related row, for hidden and nonexistent rows alike', async () => {
    for (const doc of [3, 4, 99]) {
      expect(await refused(`insert_comment_one(object: {id: 1, doc_id: ${doc}}) { id }`)).toContain(
        'permission-error $.selectionSet.insert_comment_one.args.object check constraint',
      );
    }
    expect(await write('insert_comment_one(object: {id: 1, doc_id: 2}) { doc { title } }')).toEqual(
      {
        insert_comment_one: { doc: { title: 'b' } },
      },
    );
    expect(
      await refused('update_comment(where: {}, _set: {doc_id: 3}) { affected_rows }'),
    ).toContain('permission-error');
  });

  test('are not refused in nested inserts, where the related row is inserted in the same mutation', async () => {
    expect(
      await write(`insert_doc_one(object: {id: 8, org: 1, comments: {data: [{id: 5, body: "x"}]}}) { comments { body } }
        insert_comment_one(object: {id: 6, doc: {data: {id: 9, org: 1}}}) { doc_id }`),
    ).toEqual({
      insert_doc_one: { comments: [{ body: 'x' }] },
      insert_comment_one: { doc_id: 9 },
    });
  });

  test('are filled in by nested inserts even if the role may not read the key columns', async () => {
    const poster: Ask = { role: 'poster', variables: { Org: '1' } };
    expect(
      await write(
        'insert_doc(objects: {id: 8, org: 1, comments: {data: {id: 5}}}) { affected_rows }',
        poster,
      ),
    ).toEqual({
      insert_doc: { affected_rows: 2 },
    });
  });
});
