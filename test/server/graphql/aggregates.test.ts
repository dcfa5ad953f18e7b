import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dataOf } from './support/data-of.ts';
import { errorOf } from './support/error-of.ts';
import { type Gateway, memberOf, one, startGateway } from './support/gateway.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const data = async (query: string, ask = {}) => {
  return dataOf(await gateway.ask(query, ask));
};
const aggregate = async (fields: string, args = '', ask = {}) => {
  const result = await data(`{ article_aggregate${args} { aggregate { ${fields} } } }`, ask);
  return result.article_aggregate.aggregate;
};

describe('count in an aggregate field', () => {
  test.each([
    ['count', 5],
    ['count(columns: [body])', 3],
    ['count(columns: body, distinct: true)', 3],
    ['count(columns: [published], distinct: true)', 2],
    ['count(columns: [author_id, published], distinct: true)', 5],
    ['count(columns: [author_id, published])', 5],
    ['count(distinct: true)', 5],
    ['count(columns: [])', 5],
    ['count(columns: null, distinct: null)', 5],
  ])('with %s returns %i', async (field, expected) => {
    expect(await aggregate(field)).toEqual({ count: expected });
  });
});

test('an aggregate field computes sum, avg, min, max and all other aggregate functions', async () => {
  const functions = ['sum', 'avg', 'min', 'max', 'stddev', 'stddev_pop', 'stddev_samp'];
  const fields = [...functions, 'var_pop', 'var_samp', 'variance'].map((name) => `${name} { id }`);
  expect(await aggregate(fields.join(' '), '(where: {id: {_in: [1, 5]}})')).toEqual({
    sum: { id: 6 },
    avg: { id: 3 },
    min: { id: 1 },
    max: { id: 5 },
    stddev: { id: 2.8284271247461903 },
    stddev_pop: { id: 2 },
    stddev_samp: { id: 2.8284271247461903 },
    var_pop: { id: 4 },
    var_samp: { id: 8 },
    variance: { id: 8 },
  });
});

test('min and max work for texts, times and enums', async () => {
  const columns = '{ title published_at mood }';
  expect(await aggregate(`min ${columns} max ${columns}`)).toEqual({
    min: { title: 'Alpha', published_at: '2026-01-02T03:04:05+00:00', mood: 'sad' },
    max: { title: 'Orphan', published_at: '2026-02-02T00:00:00+00:00', mood: 'happy-go' },
  });
});

test('min and max of a citext column ignore letter case', async () => {
  const query = '{ setting_aggregate { aggregate { min { name } max { name } } } }';
  expect((await data(query)).setting_aggregate.aggregate).toEqual({
    min: { name: 'locale' },
    max: { name: 'Theme' },
  });
});

test('the sum of no rows is null, not 0', async () => {
  const args = '(where: {id: {_gt: 99}})';
  expect(await aggregate('count sum { id } max { title }', args)).toEqual({
    count: 0,
    sum: { id: null },
    max: { title: null },
  });
});

test.each(['__typename', 'max { __typename }'])(
  'an aggregate with only %s returns one object',
  async (field) => {
    expect(Object.keys(await aggregate(field))).toHaveLength(1);
    const ofNone = await aggregate(field, '(where: { id: { _eq: 0 } })');
    expect(Object.keys(ofNone)).toHaveLength(1);
  },
);

test('count counts only the rows that remain after limit, offset and distinct_on', async () => {
  expect(await aggregate('count sum { id }', '(limit: 2, order_by: {id: desc})')).toEqual({
    count: 2,
    sum: { id: 9 },
  });
  expect(await aggregate('count', '(offset: 4)')).toEqual({ count: 1 });
  expect(await aggregate('count', '(distinct_on: [author_id])')).toEqual({ count: 4 });
});

test('an aggregate field returns rows (nodes) together with aggregated values, also several times under aliases', async () => {
  const query = `{ article_aggregate(where: {id: {_lt: 3}}, order_by: {id: desc}) {
    __typename
    first: aggregate { __typename c: count sum { __typename id twice: id } }
    nodes { id }
    again: nodes { title author { name } }
    second: aggregate { count }
  } }`;
  expect(await data(query)).toEqual({
    article_aggregate: {
      __typename: 'article_aggregate',
      first: {
        __typename: 'article_aggregate_fields',
        c: 2,
        sum: { __typename: 'article_sum_fields', id: 3, twice: 3 },
      },
      nodes: [{ id: 2 }, { id: 1 }],
      again: [
        { title: 'Beta', author: { name: 'Ada' } },
        { title: 'Alpha', author: { name: 'Ada' } },
      ],
      second: { count: 2 },
    },
  });
});

test('an aggregate of related rows works at any depth of relationships', async () => {
  const query = `{ author(order_by: {id: asc}) {
    articles_aggregate(where: {published: {_eq: true}}) {
      aggregate { count }
      nodes { author { articles_aggregate { aggregate { max { id } } } } }
    }
  } }`;
  const nodes = (max: number) => [
    { author: { articles_aggregate: { aggregate: { max: { id: max } } } } },
  ];
  expect(await data(query)).toEqual({
    author: [2, 3, 4].map((max) => ({
      articles_aggregate: { aggregate: { count: 1 }, nodes: nodes(max) },
    })),
  });
});

test('an aggregate covers only the rows that the role may see', async () => {
  expect(await aggregate('count sum { id }', '', memberOf(one))).toEqual({
    count: 3,
    sum: { id: 6 },
  });
});

test('the row limit of a rule limits the nodes of an aggregate, while count and sum cover all rows', async () => {
  const query = '{ article_aggregate { aggregate { count } nodes { id } } }';
  const { article_aggregate: result } = await data(query, { role: 'reader' });
  expect(result.aggregate.count).toBe(3);
  expect(result.nodes).toHaveLength(2);
});

describe('an aggregate for a role that may aggregate a table but read none of its columns', () => {
  const ask = { role: 'counter' };

  test('counts the rows', async () => {
    expect(await aggregate('count', '', ask)).toEqual({ count: 5 });
  });

  test('has no columns argument', async () => {
    const query = '{ article_aggregate { aggregate { count(columns: [title]) } } }';
    expect(errorOf(await gateway.ask(query, ask))).toMatch(
      /^validation-failed \$\.selectionSet\.article_aggregate\.selectionSet\.aggregate\.selectionSet\.count 'count' has no argument named 'columns'/,
    );
  });

  test('has no function other than count', async () => {
    const query = '{ article_aggregate { aggregate { max { id } } } }';
    expect(errorOf(await gateway.ask(query, ask))).toContain(
      "field 'max' not found in type: 'article_aggregate_fields'",
    );
  });

  test('has neither a list field nor nodes', async () => {
    expect(errorOf(await gateway.ask('{ article { id } }', ask))).toContain(
      "field 'article' not found in type: 'query_root'",
    );
    expect(errorOf(await gateway.ask('{ article_aggregate { nodes { id } } }', ask))).toContain(
      "field 'nodes' not found in type: 'article_aggregate'",
    );
  });
});
