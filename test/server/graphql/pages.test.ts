import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dataOf } from './support/data-of.ts';
import { errorOf } from './support/error-of.ts';
import { type Gateway, startGateway } from './support/gateway.ts';
import { metadata, schema } from './support/sales.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ schema, metadata });
  // An update moves a row to the end of the heap, so a list in heap order differs from a list in key order.
  const owner = await gateway.database.connectOwner();
  await owner.query('update sale set cost = 6 where id in (1, 4)');
});
afterAll(() => gateway.stop());

describe('a page requested by where and order_by, after the last row of the previous page', () => {
  const sales = async (where: unknown, orderBy: unknown, ask = {}) => {
    const query = `query ($where: sale_bool_exp!, $by: [sale_order_by!]) {
      sale(where: $where, order_by: $by, limit: 2) { id day price }
    }`;
    const { data, errors } = await gateway.ask(query, { ...ask, with: { where, by: orderBy } });
    expect(errors).toBeUndefined();
    return data.sale as { id: number; day: string; price: number }[];
  };

  /** Requests page after page until a page is empty, and returns the ids of all rows. */
  async function walk(
    after: (last: { id: number; day: string }) => unknown,
    orderBy: unknown,
    ask = {},
  ): Promise<number[]> {
    const found: number[] = [];
    let page = await sales({}, orderBy, ask);
    for (let last = page.at(-1); last; last = page.at(-1)) {
      found.push(...page.map(({ id }) => id));
      page = await sales(after(last), orderBy, ask);
    }
    return found;
  }

  test.each([
    ['ascending', '_gt', 'asc', [1, 2, 3, 4, 5, 6]],
    ['descending', '_lt', 'desc', [6, 5, 4, 3, 2, 1]],
  ])('neither skips nor repeats rows, %s', async (_, operator, direction, expected) => {
    const after = ({ id, day }: { id: number; day: string }) => ({
      _or: [
        { day: { [operator]: day } },
        { _and: [{ day: { _eq: day } }, { id: { [operator]: id } }] },
      ],
    });
    const by = [{ day: direction }, { id: direction }];
    expect(await walk(after, by)).toEqual(expected);
    const asClerk = await walk(after, by, { role: 'clerk' });
    expect(asClerk).toEqual(expected.filter((id) => id !== 3 && id !== 5));
  });

  test('neither skips nor repeats rows if one column ascends and the other descends', async () => {
    const after = ({ id, day }: { id: number; day: string }) => ({
      _or: [{ day: { _gt: day } }, { day: { _eq: day }, id: { _lt: id } }],
    });
    expect(await walk(after, [{ day: 'asc' }, { id: 'desc' }])).toEqual([2, 1, 5, 4, 3, 6]);
  });

  test.each([
    ['{price: {_gt: 5}}, {price: {_eq: 5}, id: {_gt: 4}}', [1, 2, 3, 6]],
    ['{price: {_eq: 5}, id: {_gte: 4}}, {price: {_gt: 5}}', [1, 2, 3, 4, 6]],
    ['{price: {_lt: 10}}, {price: {_eq: 10}, id: {_gt: 0}}', [1, 4, 6]],
    ['{price: {_gt: 10}}, {price: {_eq: 5}, id: {_gt: 4}}', [2, 3, 6]],
    ['{price: {_gte: 10}}, {price: {_eq: 10}, id: {_gt: 2}}', [1, 2, 3]],
    [
      '{price: {_gt: 5}}, {price: {_eq: 5}, tax: {_gt: 1}}, {price: {_eq: 5}, tax: {_eq: 1}, id: {_lte: 4}}',
      [1, 2, 3, 4, 6],
    ],
    [
      '{price: {_gt: 5}}, {price: {_eq: 5}, tax: {_gt: 1}}, {price: {_eq: 5}, tax: {_eq: 4}, id: {_gt: 6}}',
      [1, 2, 3, 6],
    ],
    ['{price: {_gt: 5}}, {price: {_eq: 5}, price: {_gt: 1}}', 'refused'],
    ['{price: {_gt: 5}}, {price: {_eq: 5}}', [1, 2, 3, 4, 6]],
    ['{price: {_gt: 5}}, {price: {_eq: 5}, id: {_gt: 4}, tax: {_gt: 9}}', [1, 2, 3]],
    ['{price: {_gt: 5}}, {price: {_eq: 5}, seller: {id: {_eq: 2}}}', [1, 2, 3, 4, 6]],
    ['{price: {_gt: 5, _lt: 25}}, {price: {_eq: 5}, id: {_gt: 4}}', [1, 2, 6]],
  ])('with _or: [%s] contains the rows %j', async (items, expected) => {
    const ids = async (where: string) =>
      (await gateway.ask(`{ sale(where: ${where}, order_by: {id: asc}) { id } }`)).data?.sale.map(
        (row: { id: number }) => row.id,
      ) ?? 'refused';
    expect(await ids(`{_or: [${items}]}`)).toEqual(expected);
  });

  test('with a condition under _not contains the same rows as with an equal condition that is not optimized, also with nulls', async () => {
    const of = (where: string) =>
      gateway.ask(`{ sale(where: ${where}, order_by: {id: asc}) { id } }`);
    const keyset = '{_or: [{price: {_lt: 10}}, {price: {_eq: 10}, tax: {_lt: 1}}]}';
    const plain = '{_or: [{price: {_lt: 10}}, {price: {_eq: 10}, tax: {_lt: 1}}, {id: {_eq: 0}}]}';
    expect((await of(`{_not: ${keyset}}`)).data).toEqual((await of(`{_not: ${plain}}`)).data);
  });

  test('is correct for each request with the same document, whether or not the compared values in variables are equal', async () => {
    const query = `query ($a: float8, $b: float8, $where: sale_bool_exp) {
      one: sale(where: {_or: [{price: {_gt: $a}}, {price: {_eq: $b}, id: {_gt: 4}}]}, order_by: {id: asc}) { id }
      two: sale(where: $where, order_by: {id: asc}) { id }
    }`;
    const ids = async (a: number, b: number) => {
      const where = { _or: [{ price: { _gt: a } }, { price: { _eq: b }, id: { _gt: 4 } }] };
      const { data } = await gateway.ask(query, { with: { a, b, where } });
      return [data.one, data.two].map((rows) => rows.map((row: { id: number }) => row.id).join(''));
    };
    expect(await ids(5, 5)).toEqual(['1236', '1236']);
    expect(await ids(10, 5)).toEqual(['236', '236']);
    expect(await ids(5, 5)).toEqual(['1236', '1236']);
  });
});

describe('rows that are equal in order_by', () => {
  const ids = async (args: string, ask = {}) => {
    return dataOf(await gateway.ask(`{ sale(${args}) { id } }`, ask))
      .sale.map((row: { id: number }) => row.id)
      .join('');
  };

  test.each([
    ['order_by: {seller_id: asc}', '123456'],
    ['order_by: {seller_id: desc}', '456123'],
    ['order_by: {price: asc_nulls_first}', '546123'],
    ['order_by: {price: desc_nulls_last}', '321465'],
    ['order_by: [{seller: {name: desc}}]', '456123'],
    ['order_by: {seller: {sales_aggregate: {count: asc}}}', '123456'],
    ['order_by: {seller_id: asc}, offset: 2, limit: 2', '34'],
    ['order_by: {tax: desc_nulls_first}, distinct_on: tax', '3621'],
    ['order_by: {seller_id: desc}, distinct_on: seller_id', '41'],
  ])('with %s are ordered by the primary key, %s', async (args, expected) => {
    expect(await ids(args)).toBe(expected);
  });

  test('are ordered by the primary key, whatever indexes exist', async () => {
    expect(await ids('order_by: {paid: asc}')).toBe('312465');
    expect(await ids('order_by: {day: asc}')).toBe('123456');
    expect(await ids('order_by: {day: desc}')).toBe('634512');
  });

  test('are returned in the order of the table if there is no order_by', async () => {
    expect(await ids('where: {seller_id: {_eq: 1}}')).toBe('231');
  });
});

describe('distinct_on', () => {
  const found = async (query: string, ask = {}) => {
    return dataOf(await gateway.ask(query, ask));
  };

  test.each([
    ['distinct_on: seller_id, order_by: [{seller_id: asc}, {price: desc_nulls_last}]', [3, 4]],
    [
      'distinct_on: seller_id, order_by: [{seller_id: desc}, {seller: {name: asc}}, {id: desc}]',
      [6, 3],
    ],
    [
      'distinct_on: [paid, seller_id], order_by: [{seller_id: asc}, {paid: asc}, {id: asc}]',
      [3, 1, 4, 5],
    ],
    [
      'distinct_on: seller_id, order_by: [{seller_id: asc}, {seller: {sales_aggregate: {count: asc}}}]',
      [1, 4],
    ],
    ['distinct_on: day, where: {id: {_gt: 1}}, order_by: {day: desc}, limit: 1, offset: 1', [3]],
    [
      'distinct_on: seller_id, where: {seller: {sales_aggregate: {max: {arguments: price, predicate: {_lt: 9}}}}}, order_by: {seller_id: asc}',
      [4],
    ],
    ['distinct_on: []', [2, 3, 5, 6, 1, 4]],
    ['distinct_on: [seller_id, paid], order_by: {seller_id: asc}', [3, 1, 4, 5]],
    [
      'distinct_on: [paid, seller_id], order_by: [{seller_id: asc}, {seller_id: desc}]',
      [3, 1, 4, 5],
    ],
  ])('with %s selects %j', async (args, expected) => {
    const { sale } = await found(`{ sale(${args}) { id } }`);
    expect(sale.map((row: { id: number }) => row.id)).toEqual(expected);
  });

  test('in a nested list applies separately to the related rows of each outer row', async () => {
    const query = `{ seller(order_by: {id: asc}) {
      sales(distinct_on: day, order_by: [{day: asc}, {id: asc}], where: {price: {_is_null: false}}) { id }
      sales_aggregate(distinct_on: day, order_by: [{day: asc}, {id: asc}]) { aggregate { count sum { id } } nodes { id } }
    } }`;
    const aggregate = (count: number, id: number | null, nodes: number[]) => ({
      ...{ aggregate: { count, sum: { id } }, nodes: nodes.map((one) => ({ id: one })) },
    });
    expect((await found(query)).seller).toEqual([
      { sales: [{ id: 1 }, { id: 3 }], sales_aggregate: aggregate(2, 4, [1, 3]) },
      { sales: [{ id: 4 }, { id: 6 }], sales_aggregate: aggregate(2, 10, [4, 6]) },
      { sales: [], sales_aggregate: aggregate(0, null, []) },
    ]);
  });

  test('returns the first row among those that the role may see', async () => {
    const query = '{ sale(distinct_on: day, order_by: [{day: asc}, {id: desc}]) { id } }';
    expect((await found(query, { role: 'clerk' })).sale).toEqual([{ id: 2 }, { id: 4 }, { id: 6 }]);
  });

  test('may name more columns than order_by does, in nested lists and by variables too', async () => {
    const query = `query ($on: [sale_select_column!], $by: [sale_order_by!]) {
      sale(distinct_on: $on, order_by: $by) { id }
      sale_aggregate(distinct_on: $on, order_by: $by) { aggregate { sum { id } } nodes { id } }
      seller(order_by: {id: asc}) { sales(distinct_on: $on, order_by: $by) { id } }
    }`;
    const data = await found(query, { with: { on: ['day', 'price'], by: { day: 'desc' } } });
    const ids = (rows: { id: number }[]) => rows.map(({ id }) => id).join('');
    expect(ids(data.sale)).toBe('643512');
    expect(data.sale_aggregate.aggregate.sum.id).toBe(21);
    expect(ids(data.sale_aggregate.nodes)).toBe('643512');
    expect(data.seller.map((one: { sales: { id: number }[] }) => ids(one.sales))).toEqual([
      ...['312', '645', ''],
    ]);
  });

  test.each(['{seller: {id: asc}}', '[{seller_id: asc}, {seller_id: desc}, {id: asc}]'])(
    'is refused if order_by begins with other columns: %s',
    async (orderBy) => {
      const query = `{ sale(distinct_on: [seller_id, paid], order_by: ${orderBy}) { id } }`;
      expect(errorOf(await gateway.ask(query))).toBe(
        'validation-failed $.selectionSet.sale.args "distinct_on" columns must match initial "order_by" columns',
      );
    },
  );
});
