import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dataOf } from './support/data-of.ts';
import { type Gateway, startGateway } from './support/gateway.ts';
import { keeper, metadata, name, odds, schema } from './support/odd-types.ts';

const names = odds.map((_, index) => name(index));
const given = Object.fromEntries(odds.map((one, index) => [name(index), one.given]));
const read = Object.fromEntries(odds.map((one, index) => [name(index), one.read]));
const comparable = names.filter((_, index) => !odds[index]?.isIncomparable);

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ schema, metadata });
});
afterAll(() => gateway.stop());

const data = async (query: string, variables: unknown = {}, ask = keeper('ann')) => {
  return dataOf(await gateway.ask(query, { ...ask, with: variables }));
};

/** Returns for each column the number of rows that match the condition for it. */
async function counts(condition: (column: string) => object): Promise<Record<string, number>> {
  const declared = comparable.map((column) => `$${column}: odd_bool_exp!`);
  const fields = comparable.map((column) => `${column}: odd(where: $${column}) { id }`);
  const variables = Object.fromEntries(
    comparable.map((column) => [column, { [column]: condition(column) }]),
  );
  const found = await data(`query (${declared}) { ${fields.join(' ')} }`, variables);
  return Object.fromEntries(comparable.map((column) => [column, found[column].length]));
}

const each = (count: number) => Object.fromEntries(comparable.map((column) => [column, count]));

describe('values of unusual column types', () => {
  beforeAll(async () => {
    const insert = `mutation ($o: odd_insert_input!) { insert_odd_one(object: $o) { ${names.join(' ')} } }`;
    expect((await data(insert, { o: given })).insert_odd_one).toEqual(read);
    await data('mutation { insert_odd_one(object: {}) { id } }');
  });

  test('are returned as they were written', async () => {
    const query = `{ odd(order_by: {id: asc}) { ${names.join(' ')} } }`;
    const nothing = Object.fromEntries(names.map((column) => [column, null]));
    expect((await data(query)).odd).toEqual([read, nothing]);
  });

  test('are found by _eq and _in with the returned value', async () => {
    expect(await counts((column) => ({ _eq: read[column] }))).toEqual(each(1));
    expect(await counts((column) => ({ _in: [read[column]] }))).toEqual(each(1));
    expect(await counts((column) => ({ _nin: [read[column]] }))).toEqual(each(0));
    expect(await counts(() => ({ _is_null: true }))).toEqual(each(1));
  });

  test('can be used in distinct_on and order_by if Postgres can compare them', async () => {
    const fields = comparable.map(
      (column) =>
        `${column}: odd(distinct_on: ${column}, order_by: {${column}: desc_nulls_last}) { ${column} }`,
    );
    const found = await data(`{ ${fields.join(' ')} }`);
    const expected = (column: string) => [{ [column]: read[column] }, { [column]: null }];
    expect(found).toEqual(
      Object.fromEntries(comparable.map((column) => [column, expected(column)])),
    );
  });

  test('can be aggregated by min and max where the schema offers these', async () => {
    const { __type: type } = await data('{ __type(name: "odd_max_fields") { fields { name } } }');
    const offered = type.fields
      .map((field: { name: string }) => field.name)
      .filter((column: string) => comparable.includes(column));
    const query = `{ odd_aggregate { aggregate { max { ${offered.join(' ')} } } } }`;
    const { max } = (await data(query)).odd_aggregate.aggregate;
    expect(offered.length).toBeGreaterThan(20);
    expect(max).toEqual(
      Object.fromEntries(offered.map((column: string) => [column, read[column]])),
    );
  });

  test('cannot be used in comparisons or order_by if Postgres cannot compare them', async () => {
    const lacking = names.filter((column) => !comparable.includes(column));
    const query = `{ odd(where: {${lacking.map((column) => `${column}: {_is_null: false}`)}}) { id } }`;
    expect((await data(query)).odd).toHaveLength(1);
    const { __type: order } = await data(
      '{ __type(name: "odd_order_by") { inputFields { name } } }',
    );
    const offered = order.inputFields.map((field: { name: string }) => field.name);
    expect(offered).toEqual(expect.arrayContaining(comparable));
    expect(offered.filter((column: string) => lacking.includes(column))).toEqual([]);
  });

  test('stay unchanged when set to the returned value', async () => {
    const update = `mutation ($o: odd_set_input!) {
      update_odd(where: {c0: {_is_null: false}}, _set: $o) { returning { ${names.join(' ')} } }
    }`;
    expect((await data(update, { o: read })).update_odd.returning).toEqual([read]);
  });

  test('are neither returned nor counted for a caller who may not see the row', async () => {
    const query = `{ odd(where: {c0: {_eq: "Top.A_b"}}) { id } odd_aggregate { aggregate { count } } }`;
    expect(await data(query, {}, keeper('bob'))).toEqual({
      odd: [],
      odd_aggregate: { aggregate: { count: 0 } },
    });
  });

  test('are the same as those that the Postgres role of the caller reads in SQL', async () => {
    const client = new pg.Client({ connectionString: gateway.gatewayUrl });
    await client.connect();
    await client.query('begin');
    await client.query("select set_config('gql.user_id', 'ann', true)");
    await client.query(`set local role "rowgate_${gateway.database.name}_keeper"`);
    const { rows } = await client.query(
      `select to_json(o) as row from (select ${names.join(', ')} from odd order by id limit 1) o`,
    );
    await client.end();
    expect(rows[0].row).toEqual(read);
  });
});
