import { afterAll, beforeAll, expect, test } from 'vitest';
import { dataOf } from './support/data-of.ts';
import { errorOf } from './support/error-of.ts';
import { type Gateway, startGateway } from './support/gateway.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const titles = async (orderBy: string, table = 'article', column = 'id') => {
  return dataOf(
    await gateway.ask(`{ rows: ${table}(order_by: ${orderBy}) { ${column} } }`),
  ).rows.map((row: Record<string, unknown>) => row[column]);
};

test.each([
  ['{id: desc}', [5, 4, 3, 2, 1]],
  ['{price: asc, id: asc}', [4, 1, 2, 3, 5]],
  ['{price: asc_nulls_first, id: asc}', [3, 5, 4, 1, 2]],
  ['{price: asc_nulls_last, id: desc}', [4, 1, 2, 5, 3]],
  ['{price: desc, id: asc}', [3, 5, 2, 1, 4]],
  ['{price: desc_nulls_first, id: desc}', [5, 3, 2, 1, 4]],
  ['{price: desc_nulls_last, id: asc}', [2, 1, 4, 3, 5]],
  ['[{published: desc}, {id: desc}]', [4, 3, 1, 5, 2]],
  ['{author: {name: desc}, id: asc}', [5, 4, 3, 1, 2]],
  ['[{author: {organization: {name: asc}}}, {id: desc}]', [3, 2, 1, 4, 5]],
  ['[{author: {articles_aggregate: {count: desc_nulls_last}}}, {id: asc}]', [1, 2, 3, 4, 5]],
  ['[{author: null}, {id: asc}]', [1, 2, 3, 4, 5]],
  ['[]', [1, 2, 3, 4, 5]],
])('articles are ordered by %s', async (orderBy, expected) => {
  expect(await titles(orderBy)).toEqual(expected);
});

test.each([
  ['{articles_aggregate: {count: desc}, id: asc}', [1, 2, 3]],
  ['{articles_aggregate: {sum: {views: asc}}}', [3, 2, 1]],
  ['{articles_aggregate: {max: {title: desc}}}', [2, 3, 1]],
  ['[{articles_aggregate: {avg: {price: desc_nulls_last}}}]', [1, 3, 2]],
])('authors are ordered by aggregates of related rows: %s', async (orderBy, expected) => {
  expect(await titles(orderBy, 'author')).toEqual(expected);
});

test('order_by accepts variables, including null and absent ones', async () => {
  const query = `query ($a: order_by, $b: [article_order_by!], $c: author_order_by) {
    one: article(order_by: [{published: $a}, {author: $c}, {id: asc}]) { id }
    two: article(order_by: $b) { id }
  }`;
  const ask = async (variables: object) => {
    const { data } = await gateway.ask(query, { with: variables });
    return [data.one, data.two].map((rows) => rows.map((row: { id: number }) => row.id).join(''));
  };
  expect(await ask({ a: 'desc', b: [{ id: 'desc' }], c: null })).toEqual(['13425', '54321']);
  expect(await ask({ a: 'asc', b: { id: 'asc' }, c: { name: 'desc' } })).toEqual([
    '52431',
    '12345',
  ]);
  expect(await ask({ b: [{ published: 'desc' }, { id: 'desc' }] })).toEqual(['12345', '43152']);
});

test('a list whose order_by does not begin with the columns of distinct_on is refused', async () => {
  const query = '{ article(distinct_on: [author_id], order_by: [{id: desc}]) { id } }';
  expect(errorOf(await gateway.ask(query))).toBe(
    'validation-failed $.selectionSet.article.args "distinct_on" columns must match initial "order_by" columns',
  );
});
