import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FlightStatement } from '../../../server/db/requests/flight.ts';
import { makeCancelLink } from '../../../server/db/requests/pg-internals.ts';
import { PipelinedClient } from '../../../server/db/requests/pipelined-client.ts';
import { textRow } from '../../../server/db/requests/wire/message-reader.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

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

const fly = (...statements: readonly FlightStatement[]) =>
  client.fly(statements, { readRow: textRow });
const statement = (text: string, name?: string) => ({ text, values: [], name });
const eventsDuring = async (names: readonly string[], work: () => Promise<unknown>) => {
  const events: string[] = [];
  const listeners = names.map((name) => [name, () => void events.push(name)] as const);
  for (const [name, listener] of listeners) client.connection.on(name, listener);
  await work();
  // The event that ends a query reaches the query before it reaches these listeners.
  await fly();
  for (const [name, listener] of listeners) client.connection.off(name, listener);
  return events;
};

describe('the members of pg that its types leave out', () => {
  test('belong to the version that package.json names exactly, so that an update runs these tests', async () => {
    const { version } = createRequire(import.meta.url)('pg/package.json');
    const file = new URL('../../../package.json', import.meta.url);
    const { dependencies } = JSON.parse(await readFile(file, 'utf8'));
    expect(dependencies.pg).toBe(version);
  });

  test('are the reader of a connection, its prepared statements and its stream', () => {
    const { connection } = client;
    expect(Object.getPrototypeOf(connection).attachListeners).toBeInstanceOf(Function);
    expect(connection.stream).toBeInstanceOf(Socket);
    expect(connection.parsedStatements).toEqual({});
  });

  test('are the key for cancel requests, and a connection that sends them', () => {
    const { processID, secretKey, sslNegotiation } = client;
    const types = [processID, secretKey].map((one) => typeof one);
    expect([...types, sslNegotiation]).toEqual(['number', 'number', 'postgres']);
    const link = makeCancelLink({ stream: () => new Socket() });
    const methods = [link.connect, link.requestSsl, link.cancel].map((one) => typeof one);
    expect(new Set(methods)).toEqual(new Set(['function']));
  });
});

describe("pg's client in pipeline mode", () => {
  test('refuses a query of another class, and accepts a flight', async () => {
    const refused = await new Promise((resolve) => {
      const other = { submit: () => null, handleError: resolve };
      client.query(other as unknown as pg.Submittable);
    });
    expect(String(refused)).toContain('not supported in pipeline mode');
    expect((await fly(statement('select 1::text'))).firstRows).toEqual([['1']]);
  });

  test('gets only the end of a flight, and all messages of its own queries', async () => {
    const names = ['parseComplete', 'commandComplete', 'dataRow', 'readyForQuery', 'errorMessage'];
    const texts = ['select 1::text', 'select 2::text'];
    const events = await eventsDuring(names, () => fly(...texts.map((one) => statement(one))));
    expect(events).toEqual(['readyForQuery', 'readyForQuery']);
    const query = { text: 'select 1::text', values: [], name: undefined };
    expect(await eventsDuring(names, () => client.rows(query))).toEqual([
      ...['parseComplete', 'dataRow', 'commandComplete', 'readyForQuery'],
      'readyForQuery',
    ]);
  });

  test('skips the statements of a flight after an error, and is outside of a transaction afterwards', async () => {
    const texts = ['select 1::text', 'select (1 / 0)::text', 'select 3::text'];
    const landing = await fly(...texts.map((one) => statement(one)));
    expect(landing).toMatchObject({ firstRows: [['1']], completed: 1, error: { code: '22012' } });
    await fly();
    expect(client.getTransactionStatus()).toBe('I');
  });

  test('keeps the statements that a flight has prepared, under their names', async () => {
    await fly(statement('select 7::text', 'seven'));
    expect(client.connection.parsedStatements).toMatchObject({ seven: 'select 7::text' });
    await client.query('deallocate seven');
    const again = await fly(statement('select 7::text', 'seven'));
    expect(again).toMatchObject({ completed: 0, error: { code: '26000' } });
  });

  test('gives up after the time that a flight names, and closes the connection', async () => {
    const other = new PipelinedClient({ connectionString: database.ownerUrl });
    await other.connect();
    other.on('error', () => {});
    const ended = new Promise((resolve) => other.once('end', resolve));
    const statements = [statement('select pg_sleep(60)::text')];
    const { error } = await other.fly(statements, { readRow: textRow, maxMs: 50 });
    expect(error).toMatchObject({ message: 'Query read timeout' });
    await ended;
  });
});
