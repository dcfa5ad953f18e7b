import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Gateway, startGateway } from './support/gateway.ts';

// Tables whose names are invalid in GraphQL, or whose columns have row types or domains.
const schema = `
create schema "Odd ""schema""";
create table "Odd ""schema"""."select from" (
  "Id!" int primary key,
  "naïve 'col"";--" text,
  "2nd" numeric,
  "__dunder" int
);
create table "Odd ""schema"""."row\\holder" (id int primary key, "select from_id" int references "Odd ""schema"""."select from",
  held "Odd ""schema"""."select from", name information_schema.sql_identifier);
insert into "Odd ""schema"""."select from" values (1, 'b', 2.50, 7), (2, 'a', 1.25, 8);
insert into "Odd ""schema"""."row\\holder" values (1, 2, row(9, 'x', 0, 0), 'name');`;

const metadata = {
  'roles.yaml': `roles: { "re'ad\\"er": { group: a, purpose: b } }\n`,
  'tables/one.yaml': `table: { schema: 'Odd "schema"', name: select from }
permissions:
  "re'ad\\"er":
    select: { filter: { "2nd": { _lt: 2 } }, columns: '*', allow_aggregations: true }
`,
  'tables/two.yaml': `table: { schema: 'Odd "schema"', name: 'row\\holder' }
permissions:
  "re'ad\\"er":
    select: { filter: {}, columns: '*' }
`,
};

const role = `re'ad"er`;
let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ schema, metadata });
});
afterAll(() => gateway.stop());

describe('names that are invalid in GraphQL', () => {
  test('are used with underscores instead of invalid characters in selections, where, order_by and aggregates', async () => {
    const { data } = await gateway.ask(
      `{ list: Odd__schema__select_from(where: { _2nd: { _gt: 0 } }, order_by: { na_ve__col____: asc }) { Id_ na_ve__col____ _2nd _dunder }
         Odd__schema__select_from_by_pk(Id_: 2) { Id_ }
         Odd__schema__select_from_aggregate { aggregate { count(columns: [_2nd], distinct: true) sum { _2nd } } } }`,
    );
    expect(data).toEqual({
      list: [
        { Id_: 2, na_ve__col____: 'a', _2nd: 1.25, _dunder: 8 },
        { Id_: 1, na_ve__col____: 'b', _2nd: 2.5, _dunder: 7 },
      ],
      Odd__schema__select_from_by_pk: { Id_: 2 },
      Odd__schema__select_from_aggregate: { aggregate: { count: 2, sum: { _2nd: 3.75 } } },
    });
  });

  test("do not conflict with a client's alias that begins with two underscores", async () => {
    const { data } = await gateway.ask(
      '{ Odd__schema__select_from_by_pk(Id_: 2) { __t__: Id_ __t: _dunder } }',
    );
    expect(data).toEqual({ Odd__schema__select_from_by_pk: { __t__: 2, __t: 8 } });
  });

  test('can be used in relationships, beside columns of row types and of domains of information_schema', async () => {
    const answer = await gateway.ask(
      '{ Odd__schema__row_holder(where: { name: { _in: ["name"] } }) { id name select_from { Id_ } } }',
      { role },
    );
    expect(answer).toEqual({
      data: { Odd__schema__row_holder: [{ id: 1, name: 'name', select_from: { Id_: 2 } }] },
    });
  });
});
