import fc from 'fast-check';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Gateway, startGateway } from './support/gateway.ts';

const schema = `
create table item (id int primary key, title text default 'untitled', n int default 7, data jsonb);
create table part (id int primary key default 99, item_id int not null references item on update cascade, word text default 'none');
create function label(one item, before text default '<', after text default '>') returns text language sql stable
  as $$ select before || one.title || after $$;
create function found(lowest int default 2, most int default 3) returns setof item language sql stable
  as $$ select * from item where id >= lowest order by id limit most $$;`;

const metadata = {
  'roles.yaml': 'roles: { idle: {} }\n',
  'tables/item.yaml': 'table: item\ncomputed_fields: { label: { function: label } }\n',
  'tables/part.yaml': 'table: part\n',
  'functions/found.yaml': 'function: found\n',
};

const rows = `truncate item, part;
insert into item values (1, 'a', 1, '{"k": 1}'), (2, 'b', 2, null), (3, 'c', 2, '[1]'), (4, 'd', null, null);
insert into part values (1, 1, 'x'), (2, 1, 'y'), (3, 2, 'z');`;

let gateway: Gateway;
let owner: pg.Client;
beforeAll(async () => {
  gateway = await startGateway({ schema, metadata });
  owner = await gateway.database.connectOwner();
  await owner.query(rows);
});
afterAll(async () => {
  await owner.end();
  await gateway.stop();
});

type Variables = Readonly<Record<string, unknown>>;

/**
 * Returns the answer to a request. The rows are reset before, so that each write finds the same rows in the same order.
 */
async function answer(query: string, variables: Variables) {
  if (query.startsWith('mutation')) await owner.query(rows);
  return gateway.ask(query, { with: variables });
}

let documents = 0;
/** Returns the answer to the same query as a new document, for which the gateway has nothing in its cache. */
function answerAlone(query: string, variables: Variables) {
  documents += 1;
  return answer(`${query} #${documents}`, variables);
}

const items = '{ id title n data }';
const returning = `{ affected_rows returning ${items} }`;

test('an update with an absent variable leaves the column unchanged, even if an earlier request with the same document set the variable', async () => {
  const query = `mutation ($title: String, $n: Int) {
    update_item(where: { id: { _eq: 1 } }, _set: { title: $title, n: $n, data: null }) { returning { title n } }
  }`;
  const row = async (variables: Variables) =>
    (await answer(query, variables)).data.update_item.returning[0];
  expect(await row({ title: 'kept', n: 42 })).toEqual({ title: 'kept', n: 42 });
  expect(await row({})).toEqual({ title: 'a', n: 1 });
  expect(await row({ title: 'kept' })).toEqual({ title: 'kept', n: 1 });
  expect(await row({ title: 'kept', n: null })).toEqual({ title: 'kept', n: null });
});

describe('requests with the same document get correct answers in any order, with the variable set, absent or null, when the variable is', () => {
  test.each<readonly [string, string, Variables]>([
    [
      'a column of _set',
      `mutation ($v: Int) { update_item(where: {}, _set: { n: $v, title: "t" }) ${returning} }`,
      { v: 5 },
    ],
    [
      'the whole of _set',
      `mutation ($v: item_set_input) { update_item(where: {}, _set: $v, _inc: { id: 10 }) ${returning} }`,
      { v: { title: 'new' } },
    ],
    [
      'a column of _inc',
      `mutation ($v: Int) { update_item(where: {}, _inc: { n: $v, id: 10 }) ${returning} }`,
      { v: 5 },
    ],
    [
      'the rows of one of several updates',
      `mutation ($v: String) { update_item_many(updates: [{ where: { id: { _eq: 1 } }, _set: { title: $v, n: 3 } }]) ${returning} }`,
      { v: 'new' },
    ],
    [
      'a column of an inserted object',
      `mutation ($v: String) { insert_item_one(object: { id: 9, title: $v, n: 1 }) ${items} }`,
      { v: 'new' },
    ],
    [
      'columns of inserted objects',
      `mutation ($v: String, $n: Int) { insert_item(objects: [{ id: 8, title: $v }, { id: 9, n: $n }]) ${returning} }`,
      { v: 'new', n: 1 },
    ],
    [
      'a nested insert',
      `mutation ($v: part_arr_rel_insert_input) { insert_item_one(object: { id: 9, parts: $v }) { id parts { id word } } }`,
      { v: { data: [{ id: 9 }] } },
    ],
    [
      'a column of a nested insert',
      `mutation ($v: String) { insert_item_one(object: { id: 9, parts: { data: [{ id: 9, word: $v }] } }) { id parts { word } } }`,
      { v: 'new' },
    ],
    [
      'on_conflict',
      `mutation ($v: item_on_conflict) { insert_item(objects: [{ id: 1, title: "new" }], on_conflict: $v) ${returning} }`,
      { v: { constraint: 'item_pkey', update_columns: ['title'] } },
    ],
    [
      'the condition of on_conflict',
      `mutation ($v: item_bool_exp) { insert_item(objects: [{ id: 1, title: "new" }],
        on_conflict: { constraint: item_pkey, update_columns: [title], where: $v }) ${returning} }`,
      { v: { id: { _gt: 1 } } },
    ],
    [
      'an argument of a function',
      'query ($v: Int) { found(args: { lowest: $v, most: 1 }) { id } }',
      { v: 3 },
    ],
    ['all arguments of a function', 'query ($v: found_args) { found(args: $v) { id } }', { v: {} }],
    [
      'an argument of a computed field',
      'query ($v: String) { item { label(args: { before: $v, after: "!" }) } }',
      { v: '[' },
    ],
    ['where', 'query ($v: item_bool_exp) { item(where: $v) { id } }', { v: { id: { _gt: 2 } } }],
    [
      'a part of where',
      'query ($v: item_bool_exp) { item(where: { id: { _gt: 1 }, _not: $v }) { id } }',
      { v: { id: { _gt: 2 } } },
    ],
    [
      'the condition of an aggregate',
      `query ($v: Boolean) { item(where: { parts_aggregate: { count: { distinct: $v, arguments: [item_id], predicate: { _gt: 1 } } } }) { id } }`,
      { v: true },
    ],
    [
      'order_by',
      'query ($v: [item_order_by!]) { item(order_by: $v) { id } }',
      { v: { n: 'desc' } },
    ],
    [
      'a direction of order_by',
      'query ($v: order_by) { item(order_by: { n: $v, id: desc }) { id } }',
      { v: 'desc' },
    ],
    [
      'distinct_on',
      'query ($v: [item_select_column!]) { item(distinct_on: $v, order_by: { n: asc, id: asc }) { id } }',
      { v: ['n'] },
    ],
    ['limit', 'query ($v: Int) { item(order_by: { id: asc }, limit: $v) { id } }', { v: 2 }],
    ['offset', 'query ($v: Int) { item(order_by: { id: asc }, offset: $v) { id } }', { v: 2 }],
    ['a path', 'query ($v: String) { item(order_by: { id: asc }) { data(path: $v) } }', { v: 'k' }],
    [
      'the columns of a count',
      'query ($v: [item_select_column!]) { item_aggregate { aggregate { count(columns: $v) } } }',
      { v: ['n'] },
    ],
  ])('%s', async (_place, query, given) => {
    const none = Object.fromEntries(Object.keys(given).map((name) => [name, null]));
    for (const variables of [given, {}, none, given]) {
      expect(await answer(query, variables)).toEqual(await answerAlone(query, variables));
    }
  });
});

/** The type and possible values of each variable; undefined stands for an absent variable. */
const values: Readonly<Record<string, readonly [string, fc.Arbitrary<unknown>]>> = {
  text: ['String', fc.constantFrom('t', 'u', null, undefined)],
  count: ['Int', fc.constantFrom(0, 1, 2, null, undefined)],
  least: ['Int! = 1', fc.constantFrom(1, 2, undefined)],
  bound: ['Int! = 2', fc.constantFrom(1, 2, undefined)],
  isShown: ['Boolean! = true', fc.constantFrom(true, false, undefined)],
  direction: ['order_by', fc.constantFrom('asc', 'desc', null, undefined)],
  orders: [
    '[item_order_by!]',
    fc.constantFrom([], { n: 'desc' }, [{ n: 'asc' }, { id: 'desc' }], null, undefined),
  ],
  columns: ['[item_select_column!]', fc.constantFrom([], ['n'], ['n', 'id'], null, undefined)],
  where: [
    'item_bool_exp',
    fc.constantFrom(
      {},
      { n: { _gt: 1 } },
      { _or: [{ n: { _gt: 1 } }, { n: { _eq: 1 }, id: { _gt: 2 } }] },
      { _or: [{ n: { _gt: 1 } }, { n: { _eq: 2 }, id: { _gt: 2 } }] },
      { n: { _in: [1, 2] }, data: { _is_null: true } },
      { n: { _in: [] }, data: { _is_null: false } },
      undefined,
    ),
  ],
  change: [
    'item_set_input',
    fc.constantFrom({}, { n: 1 }, { n: null, title: 't' }, null, undefined),
  ],
  json: ['jsonb', fc.constantFrom(1, { a: [1] }, [], null, undefined)],
  labels: [
    'label_item_args',
    fc.constantFrom({}, { before: 'x' }, { after: 'y' }, null, undefined),
  ],
};

const sources = [
  'where: $where',
  'where: { n: { _gt: $least } }',
  'where: { _or: [{ n: { _gt: $least } }, { n: { _eq: $bound }, id: { _gt: $least } }] }',
  'where: { _and: [$where], parts: { word: { _neq: "x" } } }',
  'order_by: $orders',
  'order_by: { n: $direction, id: asc }',
  'order_by: [{ n: asc }, { parts_aggregate: { count: $direction } }, { id: asc }]',
  'limit: $count',
  'offset: $count',
  'distinct_on: $columns',
  'distinct_on: $columns, order_by: $orders',
];
const shown = [
  'title @include(if: $isShown)',
  '... @skip(if: $isShown) { n }',
  'one: label(args: { before: $text, after: "." })',
  'other: label(args: $labels)',
  'data(path: $text)',
  'parts(limit: $count, order_by: { id: $direction }) { id }',
  'parts_aggregate { aggregate { count } nodes @include(if: $isShown) { word } }',
];
const changes = [
  '_set: { title: $text, n: $count, data: $json }',
  '_set: $change',
  '_inc: { n: $count, id: 10 }',
  '_append: { data: $json }',
];
const objects = [
  '{ id: 8, title: $text, n: $count, data: $json }',
  '{ id: $least, title: $text }',
  '{ id: 9, data: { a: $json }, parts: { data: [{ word: $text }] } }',
];
const conflicts = [
  '',
  ', on_conflict: { constraint: item_pkey, update_columns: [], where: $where }',
  ', on_conflict: { constraint: item_pkey, update_columns: [title], where: { n: { _gt: $least } } }',
];

const selection = fc.subarray(shown).map((some) => `{ id ${some.join(' ')} }`);
const operation = fc.oneof(
  fc
    .tuple(fc.subarray(sources, { minLength: 1, maxLength: 3 }), selection)
    .map(([args, fields]) => {
      const byName = new Map(args.map((one) => [one.slice(0, 4), one]));
      return `{ item(${[...byName.values()].join(', ')}) ${fields} }`;
    }),
  fc
    .tuple(fc.subarray(changes, { minLength: 1, maxLength: 2 }), selection)
    .map(
      ([args, fields]) =>
        `{ update_item(where: {}, ${args}) { affected_rows returning ${fields} } }`,
    ),
  fc
    .tuple(fc.subarray(objects, { minLength: 1 }), fc.constantFrom(...conflicts), selection)
    .map(
      ([all, tail, fields]) =>
        `{ insert_item(objects: [${all}]${tail}) { affected_rows returning ${fields} } }`,
    ),
);

test('a request gets the same answer whatever variables earlier requests with the same document had', async () => {
  const requests = fc.array(
    fc.record(Object.fromEntries(Object.entries(values).map(([name, [, value]]) => [name, value]))),
    { minLength: 4, maxLength: 4 },
  );
  const declared = Object.entries(values).map(([name, [type]]) => `$${name}: ${type}`);
  const property = fc.asyncProperty(operation, requests, async (body, all) => {
    const kind = body.startsWith('{ item') ? 'query' : 'mutation';
    const query = `${kind} (${declared.join(', ')}) ${body}`;
    for (const variables of all) {
      expect(await answer(query, variables)).toEqual(await answerAlone(query, variables));
    }
  });
  await fc.assert(property, { seed: 7, numRuns: 30 });
});
