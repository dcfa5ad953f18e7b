import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatArray, parseArray } from '../../permissions/expressions/literals.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { query } from '../support/query.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});

afterAll(() => database.drop());

/** Returns the array that Postgres reads from the text of an array literal. */
async function postgresReads(text: string): Promise<unknown> {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  const rows = await query(
    database.ownerUrl,
    'set standard_conforming_strings = on',
    `select to_json(${quoted}::text[]) as elements`,
  );
  return (rows as readonly { readonly elements: unknown }[])[0]?.elements;
}

test.each([
  '{}',
  ' { } ',
  '{a,b c}',
  '{ a , "b" }',
  '{NULL,null,"NULL"}',
  '{"a,b","c}d","e\\"f","g\\\\h",""}',
  '{a\\,b,\\{c}',
  '{"a\nb","é"}',
])('parseArray reads the array literal %j as Postgres does', async (text) => {
  expect(parseArray(text)).toEqual(await postgresReads(text));
});

test.each(['{"a}', '{"a\\"}', '{a', 'a}', '{a,}', '{,a}', '{a}b}', '{"a"b}', '{a"b"}', '{a}{b}'])(
  'parseArray refuses the text %j, as Postgres does',
  async (text) => {
    await expect(postgresReads(text)).rejects.toMatchObject({ code: '22P02' });
    expect(parseArray(text)).toBeUndefined();
  },
);

test('formatArray writes nulls, special characters and nested arrays so that Postgres reads the same array', async () => {
  const elements = ['a', null, '', 'NULL', '"\\', ' x ', '{,}'];
  expect(await postgresReads(formatArray(elements))).toEqual(elements);
  expect(parseArray(formatArray(elements))).toEqual(elements);
  expect(await postgresReads(formatArray([elements, elements]))).toEqual([elements, elements]);
});
