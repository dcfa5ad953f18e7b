import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dataOf } from './support/data-of.ts';
import { errorOf } from './support/error-of.ts';
import { type Gateway, startGateway } from './support/gateway.ts';

// A table with one column for every type of Postgres, one for the array of each, and some composite, domain and range
// types.
const schema = `
create type pair as (a int, b text);
create domain texts as text[];
create domain positive as numeric check (value > 0);
create type span as range (subtype = numeric);
create schema other;
create type other.mood as enum ('low', 'high');
create domain feeling as other.mood;
create table feelings (feeling feeling primary key, feelings feeling[] not null);
insert into feelings values ('low', '{low,high}'), ('high', '{}');
do $$
declare
  columns text;
begin
  select string_agg(format('c_%s %s', replace(typname, '"', ''), format_type(oid, null)), ', ')
  into columns
  from pg_type
  where typtype in ('b', 'r', 'm') and typnamespace = 'pg_catalog'::regnamespace
    and typname not in ('cstring', '_cstring', 'gtsvector', '_gtsvector', '_record',
      'int2vector', '_int2vector', 'oidvector', '_oidvector')
    and typname not like 'pg\\_%' and typname not like '\\_pg\\_%' and typname not like '%brin%';
  execute format('create table every_type (id int primary key, %s, c_pair pair, c_pairs pair[],
    c_texts texts, c_positive positive, c_span span, c_mood other.mood, c_moods other.mood[],
    c_citext citext, c_citexts citext[], c_ltree ltree)', columns);
  insert into every_type (id) values (1);
end $$;`;

const metadata = {
  'roles.yaml': 'roles: {}\n',
  'tables/every_type.yaml': 'table: every_type\npermissions: {}\n',
  'tables/feelings.yaml': 'table: feelings\npermissions: {}\n',
};

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ schema, metadata });
});
afterAll(() => gateway.stop());

const data = async (query: string) => {
  return dataOf(await gateway.ask(query));
};

/** Returns the names of the fields or input fields of a GraphQL type. */
async function fieldsOf(type: string, kind: 'fields' | 'inputFields' = 'fields') {
  const result = await data(`{ __type(name: "${type}") { ${kind} { name type { name } } } }`);
  return result.__type[kind] as { name: string; type: { name: string } }[];
}

describe('a column of every type of Postgres', () => {
  test('can be read', async () => {
    const names = (await fieldsOf('every_type')).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(120);
    const { every_type: rows } = await data(`{ every_type { ${names.join(' ')} } }`);
    expect(rows).toEqual([
      Object.fromEntries(names.map((name) => [name, name === 'id' ? 1 : null])),
    ]);
  });

  test('can be compared with null and with lists, if its type supports comparison', async () => {
    const columns = await fieldsOf('every_type_bool_exp', 'inputFields');
    const results = columns
      .filter((column) => column.name.startsWith('c_'))
      .map(async ({ name, type }) => {
        const operators = await fieldsOf(type.name, 'inputFields');
        const list = operators.some((field) => field.name === '_nin') ? ', _nin: []' : '';
        const query = `{ every_type(where: {${name}: {_is_null: true${list}}}) { id } }`;
        return [name, (await gateway.ask(query)).data?.every_type.length];
      });
    expect((await Promise.all(results)).filter(([, rows]) => rows !== 1)).toEqual([]);
  });

  test('can be ordered by, if its type has an order', async () => {
    const columns = await fieldsOf('every_type_order_by', 'inputFields');
    const results = columns.map(async ({ name }) => [
      name,
      (await gateway.ask(`{ every_type(order_by: {${name}: asc}) { id } }`)).errors,
    ]);
    expect((await Promise.all(results)).filter(([, errors]) => errors !== undefined)).toEqual([]);
  });

  test('can be aggregated by every aggregate function that the schema offers for its type', async () => {
    const functions = (await fieldsOf('every_type_aggregate_fields')).map(({ name }) => name);
    const results = functions
      .filter((name) => name !== 'count')
      .map(async (name) => {
        const columns = (await fieldsOf(`every_type_${name}_fields`)).map((field) => field.name);
        const query = `{ every_type_aggregate { aggregate { ${name} { ${columns.join(' ')} } } } }`;
        return [name, (await gateway.ask(query)).errors];
      });
    expect((await Promise.all(results)).filter(([, errors]) => errors !== undefined)).toEqual([]);
  });

  test('can be used in count with distinct, or is refused with an error that says why', async () => {
    const count = (name: string) =>
      gateway.ask(
        `{ every_type_aggregate { aggregate { count(columns: [${name}], distinct: true) } } }`,
      );
    expect((await count('c_jsonb')).data).toEqual({
      every_type_aggregate: { aggregate: { count: 0 } },
    });
    expect(errorOf(await count('c_json'))).toBe(
      'data-exception $ the type of a column does not support the requested operation',
    );
  });
});

test('a domain over an enum can be a key, and arrays of it can be compared', async () => {
  const query = `{
    feelings_by_pk(feeling: low) { feelings }
    feelings(where: {feelings: {_contains: [high]}}) { feeling }
  }`;
  expect(await data(query)).toEqual({
    feelings_by_pk: { feelings: ['low', 'high'] },
    feelings: [{ feeling: 'low' }],
  });
});
