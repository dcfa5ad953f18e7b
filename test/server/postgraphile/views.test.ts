import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StockEngines, startStockEngines } from './support/stock-engines.ts';

const schema = `
create table doc (id int primary key, org_id int not null, title text not null, secret text);
insert into doc values (1, 1, 'a', 's1'), (2, 2, 'b', 's2'), (3, 1, 'c', 's3');
create view open_doc as select id, org_id, title from doc where id < 3;
comment on view open_doc is '@primaryKey id';
create view keyless_doc as select id, org_id, title from doc;
comment on view keyless_doc is '@foreignKey (id) references open_doc (id)';
create view pair as select org_id, id, title from doc where id < 3;
comment on view pair is '@primaryKey org_id,id';`;

const own = '{ org_id: { _eq: X-Gql-Org } }';
const metadata = {
  'roles.yaml': `roles:
  member: { purpose: reads documents of its organization, requires: [X-Gql-Org] }
  titles: { purpose: reads titles without keys, requires: [X-Gql-Org] }
  lists: { purpose: reads lists alone, requires: [X-Gql-Org] }
  ids: { purpose: reads ids of all documents }
  both: { purpose: reads what either reads, inherits: [titles, ids] }
`,
  'tables/open_doc.yaml': `table: open_doc
permissions:
  member: { select: { filter: ${own}, columns: [id, title] } }
  titles: { select: { filter: ${own}, columns: [title] } }
  lists: { select: { filter: ${own}, columns: [id, title], query_root_fields: [select] } }
  ids: { select: { filter: { org_id: { _eq: 2 } }, columns: [id] } }
`,
  'tables/keyless_doc.yaml': `table: keyless_doc
permissions:
  member: { select: { filter: ${own}, columns: [id, title] } }
`,
  'tables/pair.yaml': `table: pair
permissions:
  member: { select: { filter: ${own}, columns: [org_id, id, title] } }
  titles: { select: { filter: ${own}, columns: [id, title] } }
`,
};

let stock: StockEngines;
beforeAll(async () => {
  stock = await startStockEngines({ schema, metadata });
});
afterAll(() => stock.stop());

const one = { session: { org: '1' } };
const two = { session: { org: '2' } };

async function fieldsOf(role: string, type: string): Promise<readonly string[]> {
  const data = await stock.run(role, `{ __type(name: "${type}") { fields { name } } }`, one);
  const { __type } = data as { __type: { fields: readonly { readonly name: string }[] } };
  return __type.fields.map(({ name }) => name);
}

describe('a view with the smart tag @primaryKey', () => {
  test.each([
    ['OpenDoc', '{ allOpenDocs { nodes { id title } } }', 'allOpenDocs'],
    ['Pair', '{ allPairs { nodes { id title } } }', 'allPairs'],
  ])(
    'has node ids by which the field node returns the row to the same caller, and null to another tenant: type %s',
    async (type, list, name) => {
      const data = (await stock.run('member', list, one)) as Record<
        string,
        { readonly nodes: readonly { readonly id: string }[] }
      >;
      const nodes = data[name]?.nodes ?? [];
      expect(nodes).toEqual([{ id: expect.any(String), title: 'a' }]);
      const query = `query ($id: ID!) { node(id: $id) { __typename id ... on ${type} { title } } }`;
      const variables = { id: nodes[0]?.id ?? '' };
      expect(await stock.run('member', query, { ...one, variables })).toEqual({
        node: { __typename: type, id: variables.id, title: 'a' },
      });
      expect(await stock.run('member', query, { ...two, variables })).toEqual({ node: null });
    },
  );

  test.each([
    ["a role that may not read the view's key", 'titles', 'OpenDoc', ['title']],
    [
      "a role that may not read all columns of the view's key",
      'titles',
      'Pair',
      ['rowId', 'title'],
    ],
    [
      "a role that may read the view's key only in some rows",
      'both',
      'OpenDoc',
      ['rowId', 'title'],
    ],
    ['a role whose query_root_fields allow only lists', 'lists', 'OpenDoc', ['rowId', 'title']],
  ])('has no node ids for %s', async (_which, role, type, fields) => {
    expect(await fieldsOf(role, type)).toEqual(fields);
  });
});

test('a view without the smart tag @primaryKey has no node ids', async () => {
  expect(await fieldsOf('member', 'KeylessDoc')).toEqual(['rowId', 'title', 'openDocByRowId']);
});

test('a foreign key declared by the smart tag @foreignKey leads to the row of a view, or to null if there is none', async () => {
  const query = '{ allKeylessDocs { nodes { rowId openDocByRowId { title } } } }';
  expect(await stock.run('member', query, one)).toEqual({
    allKeylessDocs: {
      nodes: [
        { rowId: 1, openDocByRowId: { title: 'a' } },
        { rowId: 3, openDocByRowId: null },
      ],
    },
  });
});
