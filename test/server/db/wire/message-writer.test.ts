import { afterAll, beforeAll, expect, test } from 'vitest';
import { PipelinedClient } from '../../../../server/db/requests/pipelined-client.ts';
import { textRow } from '../../../../server/db/requests/wire/message-reader.ts';
import type { BoundValue } from '../../../../server/db/requests/wire/message-writer.ts';
import { createDatabase, type TestDatabase } from '../../../support/database.ts';

let database: TestDatabase;
let client: PipelinedClient;
beforeAll(async () => {
  database = await createDatabase();
  client = new PipelinedClient({ connectionString: database.ownerUrl });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const echo = (text: string, values: readonly BoundValue[]) =>
  client.fly([{ text, values, name: undefined }], { readRow: textRow });

test.each([
  ['an empty text', ''],
  ['a short text', 'a'],
  ['a short text with other letters', 'ä😀'],
  ['a text of 24 letters', 'x'.repeat(24)],
  ['a text with all ASCII characters but the first', String.fromCharCode(...range(1, 127))],
  ['a text larger than the buffer', 'ä😀'.repeat(200_000)],
  ['no value', null],
])('Postgres receives %s unchanged', async (_what, value) => {
  const { firstRows } = await echo('select $1::text, $2::text', [value, 'end']);
  expect(firstRows).toEqual([[value, 'end']]);
});

test('Postgres receives lists as arrays', async () => {
  const list = ['a', 'with "quotes" and \\', null, 'ä, }'];
  const { firstRows } = await echo('select array_to_json($1::text[])::text', [list]);
  expect(JSON.parse(firstRows[0]?.[0] ?? '')).toEqual(list);
});

test('nothing is sent when a value is neither a text nor a list, and the next flight succeeds', async () => {
  const wrong = [1 as unknown as string];
  expect(() => echo('select $1::text', wrong)).toThrow(
    'a parameter has a value of the type number',
  );
  expect(await echo('select $1::text', ['next'])).toMatchObject({ firstRows: [['next']] });
});

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
