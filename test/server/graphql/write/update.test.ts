import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dataOf } from '../support/data-of.ts';
import { errorOf } from '../support/error-of.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';

const schema = `
create table item (
  id integer primary key, name text, n integer, small smallint, price numeric, cash money,
  data jsonb, raw json, tags text[], numbers integer[]
);
create table pair (a integer, b text, value text, primary key (a, b));
`;

const metadata = {
  'roles.yaml': 'roles: { idle: {} }\n',
  'tables/item.yaml': 'table: item\n',
  'tables/pair.yaml': 'table: pair\n',
};

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ schema, metadata });
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  const owner = await gateway.database.connectOwner();
  await owner.query(`truncate item, pair;
    insert into item values
      (1, 'one', 1, 1, 1.5, 10, '{"a": 1, "b": {"c": [1, 2]}}', '{}', '{x}', '{1,2}'),
      (2, 'two', 2, 2, 2.5, 20, '["p", "q", "r"]', '[]', null, null),
      (3, 'three', null, null, null, null, null, null, '{}', '{}');
    insert into pair values (1, 'x', 'v'), (1, 'y', 'w')`);
  await owner.end();
});

async function write(query: string, variables?: unknown) {
  return dataOf(await gateway.ask(`mutation ${query}`, { with: variables }));
}

const refused = async (query: string, variables?: unknown) =>
  errorOf(await gateway.ask(`mutation ${query}`, { with: variables }));

const change = async (id: number, args: string, fields: string) => {
  const data = await write(`{ update_item_by_pk(pk_columns: {id: ${id}}, ${args}) { ${fields} } }`);
  return data.update_item_by_pk;
};

describe('an update operator (_set, _inc, _append and so on)', () => {
  test.each([
    ['_set', 1, '_set: {name: "new", n: null}', { name: 'new', n: null }],
    [
      '_inc',
      1,
      '_inc: {n: 5, small: -3, price: 0.25, cash: "1.5"}',
      { n: 6, small: -2, price: 1.75, cash: '$11.50' },
    ],
    ['_inc of null', 3, '_inc: {n: 5}', { n: null }],
    [
      '_append of an object',
      1,
      '_append: {data: {d: 2}}',
      { data: { a: 1, b: { c: [1, 2] }, d: 2 } },
    ],
    ['_append of an element', 2, '_append: {data: "s"}', { data: ['p', 'q', 'r', 's'] }],
    ['_prepend', 2, '_prepend: {data: [{k: null}]}', { data: [{ k: null }, 'p', 'q', 'r'] }],
    ['_delete_key of an object', 1, '_delete_key: {data: "a"}', { data: { b: { c: [1, 2] } } }],
    ['_delete_key of an array', 2, '_delete_key: {data: "q"}', { data: ['p', 'r'] }],
    ['_delete_elem', 2, '_delete_elem: {data: -1}', { data: ['p', 'q'] }],
    [
      '_delete_at_path',
      1,
      '_delete_at_path: {data: ["b", "c", "0"]}',
      { data: { a: 1, b: { c: [2] } } },
    ],
  ] as const)('%s changes a column', async (_name, id, args, expected) => {
    expect(await change(id, args, Object.keys(expected).join(' '))).toEqual(expected);
  });

  test('may be combined with other operators on other columns', async () => {
    const args = '_set: {name: "n"}, _inc: {n: 1}, _append: {data: {z: 0}}';
    expect(await change(1, args, 'name n data')).toEqual({
      name: 'n',
      n: 2,
      data: { a: 1, b: { c: [1, 2] }, z: 0 },
    });
  });

  test('that is null or empty changes nothing, and affected_rows is 0', async () => {
    const query =
      '{ update_item(where: {}, _set: {}, _inc: null) { affected_rows returning { id } } }';
    expect(await write(query)).toEqual({ update_item: { affected_rows: 0, returning: [] } });
    expect(await change(1, '_set: {}', 'id')).toBeNull();
  });

  test.each([
    ['_set: {data: 1}, _append: {data: 2}', 'data'],
    ['_set: {n: 1}, _inc: {n: 2}', 'n'],
    ['_delete_key: {data: "a"}, _delete_elem: {data: 0}', 'data'],
    ['_set: {n: 1, data: 1}, _inc: {n: 2}, _append: {data: 2}', "n', 'data"],
  ])('is refused if another operator changes the same column: %s', async (args, columns) => {
    expect(await refused(`{ update_item(where: {}, ${args}) { affected_rows } }`)).toBe(
      `validation-failed $.selectionSet.update_item.args Column found in multiple operators: ['${columns}'].`,
    );
  });

  test('is required: an update without any operator is refused', async () => {
    const operators = '_set, _inc, _append, _prepend, _delete_key, _delete_elem, _delete_at_path';
    const message = `validation-failed $.selectionSet.update_item.args at least any one of ${operators} is expected`;
    expect(await refused('{ update_item(where: {}) { affected_rows } }')).toBe(message);
    expect(await refused('{ update_item(where: {}, _set: null) { affected_rows } }')).toBe(message);
  });

  test.each([
    ['_inc: {name: "x"}', 'name', 'item_inc_input'],
    ['_inc: {tags: "x"}', 'tags', 'item_inc_input'],
    ['_inc: {numbers: 1}', 'numbers', 'item_inc_input'],
    ['_append: {raw: {}}', 'raw', 'item_append_input'],
    ['_delete_key: {tags: "x"}', 'tags', 'item_delete_key_input'],
  ])('is not offered for columns of unsuitable types: %s', async (args, column, type) => {
    expect(await refused(`{ update_item(where: {}, ${args}) { affected_rows } }`)).toContain(
      `field '${column}' not found in type: '${type}'`,
    );
  });

  test.each([
    ['_inc: {small: 32767}', 'smallint out of range'],
    ['_delete_elem: {data: 0}', 'cannot delete from object using integer index'],
    [
      '_delete_at_path: {data: ["b", "c", "x"]}',
      'path element at position 3 is not an integer: "x"',
    ],
  ])('causes an error for values that Postgres refuses: %s', async (args, message) => {
    const query = `{ update_item(where: {id: {_eq: 1}}, ${args}) { affected_rows } }`;
    expect(await refused(query)).toBe(`data-exception $.selectionSet.update_item.args ${message}`);
  });

  test('accepts variables', async () => {
    const query = `($where: item_bool_exp!, $set: item_set_input, $inc: item_inc_input, $key: String) {
      update_item(where: $where, _set: $set, _inc: $inc, _delete_key: {data: $key}) { returning { name n data } }
    }`;
    const where = { id: { _eq: 1 } };
    expect(await write(query, { where, set: { name: 's' }, inc: { n: 1 }, key: 'b' })).toEqual({
      update_item: { returning: [{ name: 's', n: 2, data: { a: 1 } }] },
    });
    expect(await write(query, { where, set: null, inc: { n: 1 }, key: 'a' })).toEqual({
      update_item: { returning: [{ name: 's', n: 3, data: {} }] },
    });
    const path =
      '($p: [String!]) { update_item_by_pk(pk_columns: {id: 2}, _delete_at_path: {data: $p}) { data } }';
    expect(await write(path, { p: ['1'] })).toEqual({ update_item_by_pk: { data: ['p', 'r'] } });
  });
});

describe('an update field', () => {
  test('changes the rows that match where, and returns their new values', async () => {
    const query =
      '{ update_item(where: {n: {_gte: 1}}, _inc: {n: 10}) { affected_rows returning { id n } } }';
    expect(await write(query)).toEqual({
      update_item: {
        affected_rows: 2,
        returning: [
          { id: 1, n: 11 },
          { id: 2, n: 12 },
        ],
      },
    });
  });

  test('is refused without where, or if where is null', async () => {
    expect(await refused('{ update_item(_set: {n: 1}) { affected_rows } }')).toBe(
      "validation-failed $.selectionSet.update_item.args.where missing required field 'where'",
    );
    expect(await refused('{ update_item(where: null, _set: {n: 1}) { affected_rows } }')).toContain(
      'validation-failed $.selectionSet.update_item.args.where',
    );
    expect(await refused('{ delete_item { affected_rows } }')).toBe(
      "validation-failed $.selectionSet.delete_item.args.where missing required field 'where'",
    );
  });
});

describe('update_by_pk and delete_by_pk', () => {
  test('an update changes the row with the key, and returns null if there is none', async () => {
    expect(await change(1, '_set: {n: 5}', 'id n')).toEqual({ id: 1, n: 5 });
    expect(await change(99, '_set: {n: 5}', 'id n')).toBeNull();
  });

  test('an update or a delete is refused when a column of the key is missing', async () => {
    const query = (key: string) =>
      `{ update_pair_by_pk(pk_columns: {${key}}, _set: {value: "new"}) { a b value } }`;
    expect(await write(query('a: 1, b: "y"'))).toEqual({
      update_pair_by_pk: { a: 1, b: 'y', value: 'new' },
    });
    expect(await refused(query('a: 1'))).toBe(
      "validation-failed $.selectionSet.update_pair_by_pk.args.pk_columns.b missing required field 'b'",
    );
    expect(await write('{ delete_pair_by_pk(a: 1, b: "x") { value } }')).toEqual({
      delete_pair_by_pk: { value: 'v' },
    });
    expect(await write('{ delete_pair_by_pk(a: 1, b: "x") { value } }')).toEqual({
      delete_pair_by_pk: null,
    });
    expect(await refused('{ delete_pair_by_pk(a: 1) { value } }')).toBe(
      "validation-failed $.selectionSet.delete_pair_by_pk.args.b missing required field 'b'",
    );
  });

  test('an update may change the key itself', async () => {
    expect(await change(1, '_set: {id: 77}', 'id name')).toEqual({ id: 77, name: 'one' });
    const query =
      '($k: item_pk_columns_input!) { update_item_by_pk(pk_columns: $k, _inc: {id: 1}) { id } }';
    expect(await write(query, { k: { id: 77 } })).toEqual({ update_item_by_pk: { id: 78 } });
  });
});

describe('a field update_many', () => {
  test('runs its updates one after the other, so that later ones see earlier changes', async () => {
    const query = `{ update_item_many(updates: [
      {where: {id: {_eq: 1}}, _set: {n: 100}},
      {where: {n: {_eq: 100}}, _inc: {n: 1}, _set: {name: "twice"}},
      {where: {id: {_eq: 99}}, _set: {n: 0}}
    ]) { affected_rows returning { id n name } } }`;
    expect(await write(query)).toEqual({
      update_item_many: [
        { affected_rows: 1, returning: [{ id: 1, n: 100, name: 'one' }] },
        { affected_rows: 1, returning: [{ id: 1, n: 101, name: 'twice' }] },
        { affected_rows: 0, returning: [] },
      ],
    });
  });

  test('with no updates returns an empty list', async () => {
    const query = '($u: [item_updates!]!) { update_item_many(updates: $u) { affected_rows } }';
    expect(await write(query, { u: [] })).toEqual({ update_item_many: [] });
    const u = [
      { where: { id: { _eq: 1 } }, _set: { n: 9 } },
      { where: { id: { _gt: 1 } }, _set: { n: 8 } },
    ];
    expect(await write(query, { u })).toEqual({
      update_item_many: [{ affected_rows: 1 }, { affected_rows: 2 }],
    });
  });

  test('reports the path of an invalid update, and runs none of the updates', async () => {
    const updates = (last: string) =>
      `{ update_item_many(updates: [{where: {}, _set: {n: 7}}, ${last}]) { affected_rows } }`;
    expect(await refused(updates('{where: {}}'))).toContain(
      'validation-failed $.selectionSet.update_item_many.args.updates[1] at least any one of',
    );
    expect(await refused(updates('{where: {id: {_eq: 1}}, _set: {id: 2}}'))).toBe(
      'constraint-violation $.selectionSet.update_item_many.args.updates[1] Uniqueness violation. duplicate key value violates unique constraint "item_pkey"',
    );
    expect(await gateway.ask('{ item(where: {n: {_eq: 7}}) { id } }')).toEqual({
      data: { item: [] },
    });
  });
});

describe('a delete field', () => {
  test('removes the rows that match where, and returns their last values', async () => {
    const query =
      '{ delete_item(where: {id: {_lte: 2}}) { affected_rows returning { id name data } } }';
    const { delete_item } = await write(query);
    expect(delete_item).toMatchObject({
      affected_rows: 2,
      returning: [{ id: 1 }, { id: 2, name: 'two' }],
    });
    expect(await gateway.ask('{ item { id } }')).toEqual({ data: { item: [{ id: 3 }] } });
  });
});
