import { createHash } from 'node:crypto';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseConfig } from '../../../server/config/config.ts';
import { type Answer, type Ask, type Gateway, headersOf, startGateway } from './support/gateway.ts';

const schema = `
create table note (id integer primary key, owner text not null);
insert into note values (1, 'ann'), (2, 'bob');
create table log (line text primary key);
create function slow(note note, seconds float8) returns integer language plpgsql stable
  as 'begin perform pg_catalog.pg_sleep(seconds); return note.id; end';
`;
const own = '{ owner: { _eq: X-Gql-User } }';
const metadata = {
  'roles.yaml': 'roles: { reader: { requires: [X-Gql-User] } }\n',
  'tables/note.yaml': `
table: note
computed_fields: { slow: { function: slow } }
permissions: { reader: { select: { filter: ${own}, columns: '*', computed_fields: '*' } } }
`,
  'tables/log.yaml': `
table: log
permissions: { reader: { select: { filter: {}, columns: '*' }, insert: { check: {}, columns: '*' } } }
`,
};

// One caller may use two of three connections, so requests of other callers always find one.
const poolSize = 3;

let gateway: Gateway;
let superuser: pg.Client;
beforeAll(async () => {
  const { limits } = parseConfig({}, '/').config;
  const config = { poolSize, limits: { ...limits, statementTimeoutMs: 600_000 } };
  gateway = await startGateway({ schema, metadata, config });
  superuser = await gateway.database.connectSuperuser();
});
afterAll(() => gateway.stop());
beforeEach(() => superuser.query('delete from log'));
afterEach(() => expect(gateway.log, 'the log contains no failure').toEqual([]));

const as = (user: string): Ask => ({ role: 'reader', variables: { User: user } });
const slow = (seconds: number) => `{ note { slow(args: {seconds: ${seconds}}) } }`;
const write = (line: string) => `mutation { insert_log_one(object: {line: "${line}"}) { line } }`;

/** Returns the states (such as idle or active) of the Postgres connections that serve requests. */
async function states(): Promise<readonly string[]> {
  const { rows } = await superuser.query(`select state from pg_stat_activity
    where application_name = 'rowgate' and datname = current_database()`);
  return rows.map(({ state }) => state);
}
const running = async () => (await states()).filter((state) => state !== 'idle').length;
const waitFor = (count: number) => expect.poll(running).toBe(count);

async function lines(): Promise<readonly string[]> {
  const { rows } = await superuser.query('select line from log order by line');
  return rows.map(({ line }) => line);
}

/** Sends a request. @returns a function that disconnects its client */
function begin(body: unknown, ask = as('ann')): () => Promise<void> {
  const cancel = new AbortController();
  const { signal } = cancel;
  const lost = gateway.send({ headers: headersOf(ask), body: JSON.stringify(body), signal });
  return hangingUp(lost, cancel);
}

function hangingUp(lost: Promise<Response>, cancel: AbortController): () => Promise<void> {
  const outcome = expect(lost).rejects.toThrow('aborted');
  return () => {
    cancel.abort();
    return outcome;
  };
}

/**
 * Registers a document as a persisted query, then sends its GET request. @returns a function that disconnects its
 * client
 */
async function follow(query: string): Promise<() => Promise<void>> {
  const sha256Hash = createHash('sha256').update(query).digest('hex');
  const extensions = JSON.stringify({ persistedQuery: { version: 1, sha256Hash } });
  const known = `{"query": ${JSON.stringify(query)}, "extensions": ${extensions}, "variables": {"s": 0}}`;
  await gateway.send({ headers: headersOf(as('ann')), body: known });
  const cancel = new AbortController();
  const { signal } = cancel;
  const target = new URLSearchParams({ extensions, variables: '{"s": 500}' });
  const init = { method: 'GET', headers: headersOf(as('ann')), signal };
  return hangingUp(gateway.send(init, `/v1/graphql?${target}`), cancel);
}

/** Runs `work` while a lock prevents all writes to the table `log`, so that mutations wait. */
async function whileHeld(work: () => Promise<void>): Promise<void> {
  const other = await gateway.database.connectOwner();
  await other.query('begin; lock table log in share mode');
  try {
    await work();
  } finally {
    await other.query('rollback');
    await other.end();
  }
}

describe('after the client disconnects', () => {
  test('a running query is cancelled in Postgres, and the connection is used for the next request', async () => {
    const hangUps = [begin({ query: slow(500) }), begin({ query: slow(500) })];
    await waitFor(2);
    await Promise.all(hangUps.map((hangUp) => hangUp()));
    await waitFor(0);
    expect(await gateway.ask('{ note { id } }', as('bob'))).toEqual({
      data: { note: [{ id: 2 }] },
    });
    expect((await states()).length).toBe(2);
  });

  test('a running query sent by GET is cancelled in Postgres', async () => {
    const hangUp = await follow('query ($s: float8!) { note { slow(args: {seconds: $s}) } }');
    await waitFor(1);
    await hangUp();
    await waitFor(0);
  });

  test('a running mutation completes and is committed', async () => {
    await whileHeld(async () => {
      const hangUps = [
        begin({ query: write('one') }),
        begin({
          query: `mutation { insert_log(objects: [{line: "two"}]) { affected_rows }
          three: insert_log_one(object: {line: "three"}) { line } }`,
        }),
      ];
      await waitFor(2);
      await Promise.all(hangUps.map((hangUp) => hangUp()));
    });
    await expect.poll(lines).toEqual(['one', 'three', 'two']);
  });

  test('an operation that waits for a connection, or for earlier operations of its batch, is never run', async () => {
    const batch = begin([{ query: slow(500) }, { query: write('of a batch') }]);
    const other = begin({ query: slow(500) });
    await waitFor(2);
    const waiting = begin({ query: write('of one that waits') });
    // Requests arrive in order, so the answer to this request proves that the waiting request has arrived.
    await gateway.send({ body: '' });
    await waiting();
    await batch();
    await other();
    await waitFor(0);
    expect(await gateway.ask(write('later'))).toEqual({
      data: { insert_log_one: { line: 'later' } },
    });
    expect(await lines()).toEqual(['later']);
  });

  test('at any of 200 moments, requests of other callers get correct answers and all connections stay open', async () => {
    const outcomes: { user: string; answer: Answer }[] = [];
    // In rounds of 50, because the server would refuse a request that waits too long for one of the connections.
    for (let round = 0; round < 4; round += 1) {
      const asked = Array.from({ length: 50 }, async (_, index) => {
        const body = JSON.stringify({ query: slow(0.002 * (index % 5)) });
        const signal = AbortSignal.timeout(index * 2 + (index % 7));
        const lost = gateway.send({ headers: headersOf(as('ann')), body, signal });
        await lost.then((response) => response.text()).catch(() => {});
        const user = index % 2 === 0 ? 'bob' : 'ann';
        return { user, answer: await gateway.ask('{ note { owner } }', as(user)) };
      });
      outcomes.push(...(await Promise.all(asked)));
    }
    const wrong = outcomes.filter(({ user, answer }) => answer.data?.note[0]?.owner !== user);
    expect(wrong).toEqual([]);
    await waitFor(0);
    expect(await states()).toEqual(['idle', 'idle']);
  });
});
