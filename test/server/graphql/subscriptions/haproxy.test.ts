import { setTimeout as delay } from 'node:timers/promises';
import { createClient as createSseClient } from 'graphql-sse';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Served } from '../../../support/rowgate.ts';
import { loadDocumentedClient } from './support/documented-client.ts';
import { type Gateways, guest, requested, startGateways } from './support/gateways.ts';
import { describeWithHaproxy } from './support/haproxy.ts';

// Runs the configuration of docs/deployment/load-balancing.md, and the clients of docs/clients/sockets.md and
// docs/clients/subscriptions.md.

const query = 'message(order_by: { id: asc }) { id body }';
const subscription = { query: `subscription { ${query} }` };

/** A client behind HAProxy with a live query and a stream. */
interface Subscriber {
  readonly answer: () => unknown;
  /** The ids of the rows of its stream. */
  readonly streamed: readonly number[];
  /** How often its socket has ended. */
  readonly losses: () => number;
  /** How often its stream has ended with an error. */
  readonly errors: () => number;
}

const inTime = { timeout: 30_000 };

// The tests build on each other.
describeWithHaproxy('the clients of two gateways and a worker', { shuffle: false }, () => {
  let gateways: Gateways;
  let documented: Awaited<ReturnType<typeof loadDocumentedClient>>;
  let next = 3;
  const subscribers: Subscriber[] = [];
  const answersOverHttp: unknown[] = [];
  const closing: (() => void)[] = [];

  beforeAll(async () => {
    [documented, gateways] = await Promise.all([loadDocumentedClient(), startGateways()]);
  });
  afterAll(async () => {
    for (const close of closing) close();
    await gateways.stop();
  });

  function sink(take: (answer: unknown) => void) {
    return { next: take, error: () => {}, complete: () => {} };
  }

  function subscribeOverSocket(): Subscriber {
    let [losses, errors] = [0, 0];
    let answer: unknown;
    const streamed: number[] = [];
    const url = `${gateways.url.replace('http', 'ws')}/v1/graphql`;
    const client = documented.connect(url, { headers: guest });
    closing.push(() => void client.dispose());
    client.on('closed', () => {
      losses += 1;
    });
    client.on('message', ({ type }) => {
      errors += Number(type === 'error');
    });
    client.subscribe(
      subscription,
      sink((given) => {
        answer = given;
      }),
    );
    documented.follow(client, ({ id }) => void streamed.push(id));
    return { answer: () => answer, streamed, losses: () => losses, errors: () => errors };
  }

  function subscribeOverHttp(index: number): void {
    const client = createSseClient({
      ...{ url: `${gateways.url}/v1/graphql`, headers: guest },
      ...{ retryAttempts: 1000, retry: () => delay(100) },
    });
    closing.push(() => client.dispose());
    client.subscribe(
      subscription,
      sink((given) => {
        answersOverHttp[index] = given;
      }),
    );
  }

  /** Inserts messages, one transaction after the other. */
  async function insert(count: number): Promise<void> {
    for (const last = next + count; next < last; next += 1) {
      const room = 7 + (next % 2);
      await gateways.owner.query(`insert into message values (${next}, ${room}, 'more')`);
    }
  }

  /** Waits until each client has the answer of a fresh query, and each row once, in order. */
  async function expectRight(): Promise<void> {
    const fresh = await gateways.ask(`{ ${query} }`);
    const { rows } = await gateways.owner.query<{ id: number }>(
      'select id from message where room = 7 order by id',
    );
    await expect.poll(() => answersOverHttp, inTime).toEqual([fresh, fresh]);
    for (const { answer, streamed } of subscribers) {
      await expect.poll(answer, inTime).toEqual(fresh);
      await expect.poll(() => streamed, inTime).toEqual(rows.map(({ id }) => id));
    }
  }

  /** Ends a gateway while rows are inserted, and waits until all clients are right again. */
  async function end(gateway: Served | undefined, signal: NodeJS.Signals): Promise<void> {
    const lossesBefore = subscribers.map(({ losses }) => losses());
    const inserting = insert(60);
    await gateway?.end(signal);
    await inserting;
    await insert(2);
    await expectRight();
    const lost = subscribers.filter(({ losses }, index) => losses() !== lossesBefore[index]);
    expect(lost.length).toBeGreaterThan(0);
  }

  test('get the same answers and rows', async () => {
    for (let count = 0; count < 8; count += 1) subscribers.push(subscribeOverSocket());
    for (const index of [0, 1]) subscribeOverHttp(index);
    await expectRight();
    await insert(10);
    await expectRight();
  });

  test('connect to the other gateway when theirs is killed, and continue their streams', async () => {
    const [one] = gateways.served;
    await end(one, 'SIGKILL');
  });

  test('get what the handler of an event writes, which the worker has called', async () => {
    await gateways.owner.query('insert into request values (1)');
    const bodies = () => JSON.stringify(subscribers.map(({ answer }) => answer()));
    await expect.poll(bodies, inTime).toContain(requested.body);
    await expectRight();
    next = requested.id + 1;
  });

  test('continue their streams when the record of changes is lost', async () => {
    await gateways.owner.query('truncate rowgate.live_change, rowgate.live_ledger');
    const errors = () => subscribers.map((one) => one.errors());
    await expect.poll(errors, inTime).toEqual(subscribers.map(() => 1));
    await insert(4);
    await expectRight();
  });

  test('move to a new gateway when theirs is stopped', async () => {
    const [one, two] = gateways.served;
    await gateways.restart(one);
    await end(two, 'SIGTERM');
  });
});
