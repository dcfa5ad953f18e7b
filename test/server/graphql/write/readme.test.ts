import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/http.ts';

const readme = await readFile(path.resolve(import.meta.dirname, '../../../../README.md'), 'utf8');

const examples = [
  ...readme.matchAll(/```graphql\n([^`]*)```\n<!-- answers -->\n```json\n([^`]*)```/g),
].map(([, query = '', answer = '']) => ({ query, answer: JSON.parse(answer) }));

let database: TestDatabase;
let server: TestServer;
beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  server = await startTestServer({ database });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

describe('the mutations of the README', { shuffle: false }, () => {
  test.each(examples)(
    'return the documented answers one after the other: $query',
    async ({ query, answer }) => {
      expect((await server.graphql(query)).body).toEqual(answer);
    },
  );

  test('include every root field that writes', () => {
    const asked = new Set(
      examples.flatMap(({ answer }) => Object.keys(answer.data as Record<string, unknown>)),
    );
    const fields = ['delete', 'insert', 'update'].flatMap((verb) => [`${verb}_invoice`]);
    const more = [
      'delete_invoice_by_pk',
      'insert_invoice_one',
      'update_invoice_by_pk',
      'update_invoice_many',
    ];
    expect([...asked].toSorted()).toEqual([...fields, ...more].toSorted());
  });
});
