import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Flight, type Landing } from '../../../server/db/requests/flight.ts';
import { makeCancelLink } from '../../../server/db/requests/pg-internals.ts';
import { PipelinedClient } from '../../../server/db/requests/pipelined-client.ts';
import { PreparedStatements } from '../../../server/db/requests/prepared-statements.ts';
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

const statement = (text: string, name?: string) => ({ text, values: [], name });
const eventsDuring = async (names: readonly string[], work: () => Promise<unknown>) => {
  const events: string[] = [];
  const listeners = names.map((name) => [name, () => void events.push(name)] as const);
  for (const [name, listener] of listeners) client.connection.on(name, listener);
  await work();
  // The event that ends a query reaches the query before it reaches these listeners.
  await client.fly([]);
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

  test('are the messages of a connection, its prepared statements and its stream', () => {
    const { connection } = client;
    const members = ['parse', 'bind', 'execute', 'sync', 'on', 'off'].map(
      (name) => typeof connection[name as keyof typeof connection],
    );
    expect(new Set(members)).toEqual(new Set(['function']));
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
    expect((await client.fly([statement('select 1::text')])).firstRows).toEqual([['1']]);
  });

  test('reports each statement of a flight that Postgres prepares or completes, and one end', async () => {
    const names = ['parseComplete', 'commandComplete', 'dataRow', 'readyForQuery', 'errorMessage'];
    const texts = ['select 1::text', 'select 2::text'];
    const events = await eventsDuring(names, () => client.fly(texts.map((one) => statement(one))));
    const each = ['parseComplete', 'dataRow', 'commandComplete'];
    expect(events).toEqual([...each, ...each, 'readyForQuery', 'readyForQuery']);
  });

  test('skips the statements of a flight after an error, and is outside of a transaction afterwards', async () => {
    const texts = ['select 1::text', 'select (1 / 0)::text', 'select 3::text'];
    const landing = await client.fly(texts.map((one) => statement(one)));
    expect(landing).toMatchObject({ firstRows: [['1']], completed: 1, error: { code: '22012' } });
    await client.fly([]);
    expect(client.getTransactionStatus()).toBe('I');
  });

  test('keeps the statements that a flight has prepared, under their names', async () => {
    await client.fly([statement('select 7::text', 'seven')]);
    expect(client.connection.parsedStatements).toMatchObject({ seven: 'select 7::text' });
    const events = await eventsDuring(['parseComplete'], () =>
      client.fly([statement('select 7::text', 'seven')]),
    );
    expect(events).toEqual([]);
  });

  test('gives up after the time that a flight names, and closes the connection', async () => {
    const other = new PipelinedClient({ connectionString: database.ownerUrl });
    await other.connect();
    other.on('error', () => {});
    const ended = new Promise((resolve) => other.once('end', resolve));
    const { error } = await new Promise<Landing>((resolve) => {
      const statements = [statement('select pg_sleep(60)::text')];
      const prepared = new PreparedStatements();
      other.query(new Flight({ statements, prepared, maxMs: 50 }, resolve));
    });
    expect(error).toMatchObject({ message: 'Query read timeout' });
    await ended;
  });
});
