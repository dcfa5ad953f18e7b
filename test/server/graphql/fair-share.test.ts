import { connect, type Socket } from 'node:net';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { parseConfig } from '../../../server/config/config.ts';
import { errorOf } from './support/error-of.ts';
import { type Ask, type Gateway, headersOf, startGateway } from './support/gateway.ts';

const schema = `
create table note (id integer primary key, owner text not null);
insert into note values (1, 'ann'), (2, 'bob');
create table log (id integer primary key, line text not null);
create function slow(note note, seconds float8) returns integer language plpgsql stable
  as 'begin perform pg_catalog.pg_sleep(seconds); return note.id; end';
create function broken(note note) returns integer language plpgsql stable
  as 'begin raise exception ''it is called''; end';
create function long(note note, bytes integer) returns text language sql stable
  as $$ select pg_catalog.repeat('x', bytes) $$;
`;
const own = '{ owner: { _eq: X-Gql-User } }';
const metadata = {
  'roles.yaml': `roles:
  reader: { requires: [X-Gql-User] }
  auditor: {}
`,
  'tables/note.yaml': `
table: note
computed_fields: { slow: { function: slow }, long: { function: long }, broken: { function: broken } }
permissions:
  reader: { select: { filter: ${own}, columns: '*', computed_fields: '*' } }
  auditor: { select: { filter: {}, columns: '*', computed_fields: '*' } }
`,
  'tables/log.yaml': `
table: log
permissions: { reader: { select: { filter: {}, columns: '*' }, insert: { check: {}, columns: '*' } } }
`,
};

const mebibyte = 1024 * 1024;
const { limits } = parseConfig({}, '/').config;
const ann: Ask = { role: 'reader', variables: { User: 'ann' } };
const bob: Ask = { role: 'reader', variables: { User: 'bob' } };
const auditor: Ask = { role: 'auditor' };
const short = '{ note(limit: 1) { id } }';
const slow = '{ note(limit: 1) { slow(args: {seconds: 500}) } }';
const long = (bytes: number) => `{ note(limit: 1) { long(args: {bytes: ${bytes}}) } }`;

let gateway: Gateway;
let superuser: pg.Client;
beforeAll(async () => {
  gateway = await startGateway({ schema, metadata });
  superuser = await gateway.database.connectSuperuser();
});
afterAll(() => gateway.stop());
afterEach(() => expect(gateway.log, 'the log contains no failure').toEqual([]));

type Server = Pick<Gateway, 'url' | 'send' | 'ask'>;
const besides = (poolSize: number, own: Partial<typeof limits>) =>
  gateway.beside({ poolSize, limits: { ...limits, statementTimeoutMs: 600_000, ...own } });
const post = (server: Server, query: string, ask: Ask, signal?: AbortSignal) =>
  server.send({ headers: headersOf(ask), body: JSON.stringify({ query }), signal: signal ?? null });

const sleeping = async () =>
  (
    await superuser.query(
      `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
    )
  ).rowCount;

/** Sends queries that occupy connections. The returned function disconnects their client, which ends the queries. */
function flood(server: Server, ask: Ask, count: number): () => Promise<void> {
  const cancel = new AbortController();
  const sent = Array.from({ length: count }, () => post(server, slow, ask, cancel.signal));
  const outcomes = Promise.allSettled(sent);
  return async () => {
    cancel.abort();
    await outcomes;
    await expect.poll(sleeping).toBe(0);
  };
}

describe('Postgres connections of the pool', () => {
  test('are left for other callers and roles when one caller sends many slow requests', async () => {
    const server = await besides(4, {});
    const stop = flood(server, ann, 12);
    await expect.poll(sleeping).toBe(2);
    expect((await server.ask(short, bob)).data).toEqual({ note: [{ id: 2 }] });
    expect((await server.ask(short, auditor)).data).toEqual({ note: [{ id: 1 }] });
    expect(await sleeping()).toBe(2);
    await stop();
  });

  test('are awaited by a request only as long as configured, and then the answer has status 503', async () => {
    const server = await besides(2, { maxWaitMs: 50 });
    const stop = flood(server, ann, 1);
    await expect.poll(sleeping).toBe(1);
    const response = await post(server, short, ann);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(errorOf((await response.json()) as never)).toBe(
      'unavailable $ the request waited 0.05 s for a connection to the database; nothing was done, try again',
    );
    await stop();
  });
});

test("while a caller's connections are busy, only a few of its requests with large bodies may wait, and more get status 503", async () => {
  const server = await besides(2, { maxWaitMs: 600_000 });
  const stop = flood(server, ann, 1);
  await expect.poll(sleeping).toBe(1);
  const cancel = new AbortController();
  const large = `${short}${' '.repeat(1_000_000)}`;
  const refused: number[] = [];
  const sent = Array.from({ length: 12 }, async () => {
    const response = await post(server, large, ann, cancel.signal);
    refused.push(response.status);
  });
  await expect.poll(() => refused).toEqual([503, 503, 503]);
  expect((await server.ask(large, bob)).data).toEqual({ note: [{ id: 2 }] });
  cancel.abort();
  await Promise.allSettled(sent);
  await stop();
});

/** Sends queries over one client connection without waiting for answers. The server answers them in order. */
function sendRaw(server: Server, queries: readonly string[], ask: Ask): Socket {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  for (const query of queries) {
    const body = JSON.stringify({ query });
    const headers = Object.entries({ ...headersOf(ask), 'content-length': String(body.length) });
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.write(`POST /v1/graphql HTTP/1.1\r\nhost: ${hostname}\r\n${lines}\r\n${body}`);
  }
  return socket;
}

/** Returns the process ids of the Postgres connections of all gateways, to see whether one was replaced. */
async function backends(): Promise<readonly number[]> {
  const { rows } = await superuser.query(
    `select pid from pg_stat_activity
     where application_name = 'rowgate' and datname = current_database() order by pid`,
  );
  return rows.map(({ pid }) => pid);
}

/** Sends a query and reads nothing of the answer, so that the server must hold the answer in memory. */
async function askAndTakeNothing(server: Server, query: string, ask: Ask): Promise<Socket> {
  const socket = sendRaw(server, [query], ask);
  // When the first bytes arrive, the server has received the whole answer from Postgres and holds it in memory.
  await new Promise<void>((resolve) => socket.once('readable', resolve));
  return socket;
}

describe('the memory that the server may use for answers', () => {
  const size = 14 * mebibyte;

  test('remains available to other callers when one caller reads no answers, and further large answers to that caller get status 503', async () => {
    const server = await besides(1, {});
    const stuck = [
      await askAndTakeNothing(server, long(size), ann),
      await askAndTakeNothing(server, long(size), ann),
    ];
    const before = await backends();
    const refused = await post(server, long(size), ann);
    expect(await backends(), 'the connection stays open').toEqual(before);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(errorOf((await refused.json()) as never)).toBe(
      'unavailable $ large answers use all of the memory for answers; nothing was done, try again',
    );
    expect((await server.ask(short, ann)).data).toEqual({ note: [{ id: 1 }] });
    expect((await server.ask(long(size), bob)).data.note[0].long).toHaveLength(size);
    for (const socket of stuck) socket.destroy();
    await expect.poll(async () => (await post(server, long(size), ann)).status).toBe(200);
  });

  test('is released once the client has read the answer', async () => {
    const server = await besides(1, {});
    for (let turn = 0; turn < 5; turn += 1) {
      expect((await server.ask(long(size), ann)).data.note[0].long).toHaveLength(size);
    }
  });

  test('is also used by an answer to introspection until the client has read it', async () => {
    const whole = '__schema { types { name description inputFields { name description } } }';
    const introspection = `{ ${Array.from({ length: 40 }, (_, index) => `a${index}: ${whole}`)} }`;
    const { length } = JSON.stringify(await gateway.ask(introspection, ann));
    const answerMemoryBytes = Math.floor(1.5 * (length - 64 * 1024));
    const server = await besides(2, { answerMemoryBytes });
    const stuck = sendRaw(server, [slow, introspection], ann);
    const ask = async (who: Ask) => (await post(server, introspection, who)).status;
    await expect.poll(() => ask(ann)).toBe(503);
    stuck.destroy();
    await expect.poll(() => ask(ann)).toBe(200);
    await expect.poll(sleeping).toBe(0);
  });

  test('causes refusal of mutations of a caller that already uses its whole share, before they write', async () => {
    const server = await besides(1, { bodyBytes: 2 * mebibyte });
    const columns = Array.from({ length: 15 }, (_, index) => `a${index}: line`).join(' ');
    const insert = (id: number, bytes: number) =>
      `mutation { insert_log_one(object: {id: ${id}, line: "${'x'.repeat(bytes)}"}) { ${columns} } }`;
    const stuck: Socket[] = [];
    for (const id of [1, 2, 3])
      stuck.push(await askAndTakeNothing(server, insert(id, mebibyte), ann));
    expect((await post(server, insert(4, 10), ann)).status).toBe(503);
    expect((await post(server, insert(5, 10), bob)).status).toBe(200);
    const { rows } = await superuser.query('select id from log order by id');
    expect(rows.map(({ id }) => id)).toEqual([1, 2, 3, 5]);
    for (const socket of stuck) socket.destroy();
  });
});

test('an operation is refused if its fields together exceed the size limit of an answer', async () => {
  const fields = (bytes: number) =>
    `{ a: ${long(bytes).slice(1, -1)} b: note(limit: 1) { id } c: note(limit: 1) { id } }`;
  const server = await besides(1, { responseBytes: 100_000 });
  expect((await server.ask(fields(90_000), ann)).data.a[0].long).toHaveLength(90_000);
  expect(errorOf(await server.ask(fields(100_001), ann))).toMatch(/^size-limit-exceeded/);
  const both = `{ a: ${long(60_000).slice(1, -1)} b: ${long(60_000).slice(1, -1)} }`;
  expect(errorOf(await server.ask(both, ann))).toMatch(/^size-limit-exceeded/);
});

test('Postgres computes no further field once the earlier fields exceed the size limit', async () => {
  const server = await besides(1, { responseBytes: 100_000 });
  const a = `a: ${long(60_000).slice(1, -1)}`;
  const broken = 'c: note(limit: 1) { broken }';
  expect(errorOf(await server.ask(`{ ${a} ${broken} }`, ann))).not.toMatch(/^size-limit-exceeded/);
  const both = `${a} b: ${long(60_000).slice(1, -1)}`;
  expect(errorOf(await server.ask(`{ ${both} ${broken} }`, ann))).toMatch(/^size-limit-exceeded/);
});
