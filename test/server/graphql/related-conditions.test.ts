import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dataOf } from './support/data-of.ts';
import { errorOf } from './support/error-of.ts';
import { type Gateway, startGateway } from './support/gateway.ts';
import { metadata, schema } from './support/sales.ts';
import { unlistedTypes } from './support/unlisted-types.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ schema, metadata });
});
afterAll(() => gateway.stop());

/** Returns the ids of sellers whose aggregated sales satisfy the condition. */
async function sellers(condition: string, role?: string): Promise<number[]> {
  const query = `{ seller(where: {sales_aggregate: ${condition}}, order_by: {id: asc}) { id } }`;
  return dataOf(await gateway.ask(query, role === undefined ? {} : { role })).seller.map(
    (row: { id: number }) => row.id,
  );
}

describe('a condition on an aggregate of related rows', () => {
  test.each([
    ['{count: {predicate: {_gt: 2}}}', [1, 2]],
    ['{count: {predicate: {_eq: 0}}}', [3]],
    ['{count: {predicate: {_in: [0, 3]}}}', [1, 2, 3]],
    ['{count: {predicate: {_gt: 0, _lt: 2}, filter: {price: {_gte: 20}, paid: {_eq: true}}}}', [1]],
    ['{count: {arguments: price, predicate: {_eq: 2}}}', [2]],
    ['{count: {arguments: [price], distinct: true, predicate: {_eq: 1}}}', [2]],
    ['{count: {arguments: [price, day], distinct: true, predicate: {_eq: 3}}}', [1, 2]],
    ['{bool_and: {arguments: paid, predicate: {_eq: true}}}', [2]],
    ['{bool_and: {arguments: paid, filter: {id: {_lt: 3}}, predicate: {_eq: true}}}', [1]],
    ['{bool_or: {arguments: paid, predicate: {_eq: true}}}', [1, 2]],
    ['{bool_or: {arguments: paid, predicate: {_is_null: true}}}', [3]],
    ['{sum: {arguments: price, predicate: {_gt: 50}}}', [1]],
    ['{sum: {arguments: price, distinct: true, predicate: {_eq: 5}}}', [2]],
    ['{avg: {arguments: price, predicate: {_eq: 20}}}', [1]],
    ['{min: {arguments: price, predicate: {_lte: 5}}}', [2]],
    ['{max: {arguments: tax, predicate: {_eq: 4}}}', [2]],
    ['{stddev_samp: {arguments: price, predicate: {_eq: 10}}}', [1]],
    ['{var_samp: {arguments: price, predicate: {_eq: "100"}}}', [1]],
    ['{corr: {arguments: {X: price, Y: tax}, predicate: {_is_null: false}}}', [1]],
    ['{covar_samp: {arguments: {X: price, Y: tax}, predicate: {_gt: 4}}}', [1]],
    ['{count: {predicate: {}}}', [1, 2, 3]],
  ])('such as %s selects %j', async (condition, expected) => {
    expect(await sellers(condition)).toEqual(expected);
  });

  test('aggregates only the related rows that the role may see', async () => {
    expect(await sellers('{count: {predicate: {_eq: 2}}}', 'clerk')).toEqual([1, 2]);
    expect(await sellers('{sum: {arguments: price, predicate: {_eq: 30}}}', 'clerk')).toEqual([1]);
  });

  test('counts all related rows, even if the rule limits the rows of a list', async () => {
    expect(await sellers('{count: {predicate: {_eq: 3}}}', 'limited')).toEqual([1, 2]);
  });

  test('is refused with a column that the role may not read', async () => {
    const query =
      '{ seller(where: {sales_aggregate: {sum: {arguments: cost, predicate: {_gt: 1}}}}) { id } }';
    expect(errorOf(await gateway.ask(query, { role: 'clerk' }))).toContain(
      "expected one of the values ['price', 'tax'] for type 'sale_select_column_sale_aggregate_bool_exp_sum_arguments_columns', but found 'cost'",
    );
  });

  test('is absent for a role without allow_aggregations', async () => {
    const query = '{ seller(where: {sales_aggregate: {count: {predicate: {_gt: 1}}}}) { id } }';
    expect(errorOf(await gateway.ask(query, { role: 'viewer' }))).toContain(
      "field 'sales_aggregate' not found in type: 'seller_bool_exp'",
    );
  });

  test('can count rows for a role that may aggregate a table but read none of its columns', async () => {
    expect(await sellers('{count: {predicate: {_gt: 2}}}', 'counter')).toEqual([1, 2]);
    const query =
      '{ seller(where: {sales_aggregate: {count: {arguments: id, predicate: {_gt: 1}}}}) { id } }';
    expect(errorOf(await gateway.ask(query, { role: 'counter' }))).toContain(
      "field 'arguments' not found in type: 'sale_aggregate_bool_exp_count'",
    );
  });

  test('can be nested under _not, in relationships and in the filter of an aggregate', async () => {
    const query = `{ sale(where: {_not: {seller: {sales_aggregate: {count: {
      predicate: {_gt: 0}, filter: {seller: {sales_aggregate: {max: {arguments: price, predicate: {_gt: 25}}}}}
    }}}}}, order_by: {id: asc}) { id } }`;
    expect((await gateway.ask(query)).data.sale).toEqual([{ id: 4 }, { id: 5 }, { id: 6 }]);
  });

  test('can be given in a variable', async () => {
    const query = 'query ($where: seller_bool_exp!) { seller(where: $where) { id } }';
    const where = {
      sales_aggregate: {
        count: { predicate: { _gt: 0 }, arguments: ['price'], filter: { paid: { _eq: false } } },
      },
    };
    expect((await gateway.ask(query, { with: { where } })).data.seller).toEqual([{ id: 1 }]);
  });

  test.each([
    [
      '{}',
      '$.selectionSet.seller.args.where.sales_aggregate exactly one predicate should be specified',
    ],
    [
      '{count: {predicate: {_gt: 1}}, bool_and: {arguments: paid, predicate: {_eq: true}}}',
      '$.selectionSet.seller.args.where.sales_aggregate exactly one predicate should be specified',
    ],
    [
      '{count: {}}',
      "$.selectionSet.seller.args.where.sales_aggregate.count.predicate missing required field 'predicate'",
    ],
    [
      '{count: null}',
      "$.selectionSet.seller.args.where.sales_aggregate.count expected an object for type 'sale_aggregate_bool_exp_count', but found null",
    ],
    [
      '{sum: {predicate: {_gt: 1}}}',
      "$.selectionSet.seller.args.where.sales_aggregate.sum.arguments missing required field 'arguments'",
    ],
    ['{bool_and: {arguments: price, predicate: {}}}', "expected one of the values ['paid']"],
    [
      '{count: {predicate: {_gt: 1}, filter: null}}',
      "expected an object for type 'sale_bool_exp', but found null",
    ],
  ])('such as %s is refused', async (condition, message) => {
    const query = `{ seller(where: {sales_aggregate: ${condition}}) { id } }`;
    expect(errorOf(await gateway.ask(query))).toContain(message);
  });

  test('is refused if nested deeper than the depth limit', async () => {
    const nested = (depth: number): string =>
      depth === 0
        ? '{}'
        : `{seller: {sales_aggregate: {count: {predicate: {_gt: 0}, filter: ${nested(depth - 1)}}}}}`;
    expect(errorOf(await gateway.ask(`{ sale(where: ${nested(9)}) { id } }`))).toContain(
      'depth-limit-exceeded',
    );
  });

  test('adds no GraphQL type whose name could conflict with that of a table', async () => {
    expect(await unlistedTypes(gateway)).toEqual([]);
  });
});
