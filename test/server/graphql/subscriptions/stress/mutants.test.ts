import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import { parseConfig } from '../../../../../server/config/config.ts';
import { ChangeLedger } from '../../../../../server/graphql/subscriptions/changes/change-ledger.ts';
import type { TableChange } from '../../../../../server/graphql/subscriptions/changes/changes.ts';
import {
  Cohort,
  type CohortMember,
} from '../../../../../server/graphql/subscriptions/cohorts/cohort.ts';
import { LatestAnswer } from '../../../../../server/graphql/subscriptions/cohorts/latest-answer.ts';
import { RefetchQueue } from '../../../../../server/graphql/subscriptions/refetch-queue.ts';
import { makeSubscriptionMetrics } from '../../../../../server/graphql/subscriptions/subscription-metrics.ts';
import type { Gateway } from '../../support/gateway.ts';
import { FakeQuery, FakeReceiver, share } from '../support/fakes.ts';
import { openSocket, startTenants, subscribe } from '../support/tenants.ts';
import { PollingSource, type Read } from './polling-source.ts';

/** Reads as the product does. */
function byLedger(): Read {
  const ledger = new ChangeLedger(60_000);
  return (client) => ledger.read(client);
}

/** Takes the highest transaction number for the place up to which everything was read. */
function byTransactionNumber(): Read {
  let last: string | undefined;
  return async (client) => {
    const { rows } = await client.query<TableChange & { xid: string }>(
      `select xid, table_key as table, keys, '[]'::json as rows from rowgate.live_change
       where xid > $1::xid8 order by xid`,
      [last ?? '0'],
    );
    const isComplete = last !== undefined;
    last = rows.at(-1)?.xid ?? last ?? '0';
    return { isComplete, changes: rows, readFrom: performance.now() };
  };
}

/** Changes of transactions with smaller numbers are old. A transaction that still runs can have a smaller number. */
let old = '0';

/** Deletes old changes, without asking whether their transactions have ended long enough ago. */
function sweptByTime(): Read {
  const read = byLedger();
  return async (client) => {
    // Deletes all that the read would find, because both have the same snapshot.
    await client.query('begin isolation level repeatable read');
    await client.query('delete from rowgate.live_change where xid < $1::xid8', [old]);
    const changes = await read(client);
    await client.query('commit');
    return changes;
  };
}

/** Reports only the values that the changed rows have now, not those that they had before. */
function withoutOldKeys(): Read {
  const read = byLedger();
  const columnOf = (key: string) => key.split('=')[0];
  return async (client) => {
    const { changes, ...rest } = await read(client);
    const onlyNew = (keys: readonly string[] | null) =>
      keys?.filter(
        (key, place) => keys.findIndex((one) => columnOf(one) === columnOf(key)) === place,
      ) ?? null;
    return { ...rest, changes: changes.map((one) => ({ ...one, keys: onlyNew(one.keys) })) };
  };
}

let makeRead: () => Read;
let gateway: Gateway;
let owner: pg.Client;
let slow: pg.Client;
beforeAll(async () => {
  const changes = () => new PollingSource(() => gateway.database.ownerUrl, makeRead());
  makeRead = byLedger;
  gateway = await startTenants({ changes });
  [owner, slow] = [await gateway.database.connectOwner(), await gateway.database.connectOwner()];
});
afterAll(() => gateway.stop());

const query = 'item(order_by: { id: asc }) { id name }';

/** The last answers of the clients of the organizations 1, 2 and 3. */
interface Watch {
  readonly last: (org: number) => unknown;
  readonly ids: (org: number) => readonly number[];
}

/** Opens clients of the organizations 1, 2 and 3 at a server that reads changes in the given way. */
async function watch(read: () => Read): Promise<Watch> {
  makeRead = read;
  await owner.query('truncate item');
  const { url } = await gateway.beside({ subscriptions: unpolled });
  const sockets = await Promise.all([1, 2, 3].map((org) => openSocket(url, org)));
  onTestFinished(() => sockets.forEach((socket) => void socket.end()));
  for (const socket of sockets) socket.send(subscribe('q', `subscription { ${query} }`));
  const last = (org: number) => sockets[org - 1]?.received.at(-1)?.payload;
  const ids = (org: number): readonly number[] =>
    last(org)?.data.item.map(({ id }: { id: number }) => id);
  for (const org of [1, 2, 3]) await expect.poll(() => ids(org)).toEqual([]);
  // No fetch for an earlier change remains, which would find a later one by accident.
  await passBy({ last, ids });
  return { last, ids };
}

/** Without polls, only reported changes lead to another answer. */
const unpolled = { ...parseConfig({}, '.').config.subscriptions, floorPollMs: 3_600_000 };

/** Returns the organizations whose last message is not the answer to a fresh query. */
async function wrong({ last }: Watch): Promise<readonly number[]> {
  const orgs: number[] = [];
  for (const org of [1, 2, 3]) {
    const fresh = await gateway.ask(`{ ${query} }`, {
      role: 'member',
      variables: { Org: String(org) },
    });
    if (!isDeepStrictEqual(last(org), fresh)) orgs.push(org);
  }
  return orgs;
}

let later = 1000;

/** Lets two later changes reach their client, so that all earlier reports have had their effect. */
async function passBy({ ids }: Watch): Promise<void> {
  for (let count = 0; count < 2; count += 1) {
    later += 1;
    const id = later;
    await owner.query(`insert into item values (${id}, 3, 'later')`);
    await expect.poll(() => ids(3)).toContain(id);
  }
}

/** A transaction commits after one with a higher number, whose change was read already. */
async function commitLate({ ids }: Watch): Promise<void> {
  onTestFinished(async () => void (await slow.query('rollback')));
  await slow.query(`begin; insert into item values (1, 1, 'late')`);
  await owner.query(`insert into item values (2, 2, 'early')`);
  await expect.poll(() => ids(2)).toEqual([2]);
  const { rows } = await owner.query<{ next: string }>(
    'select pg_snapshot_xmax(pg_current_snapshot()) as next',
  );
  old = rows[0]?.next ?? old;
  await slow.query('commit');
}

async function moveRow({ ids }: Watch): Promise<void> {
  await owner.query(`insert into item values (1, 1, 'moved')`);
  await expect.poll(() => ids(1)).toEqual([1]);
  await owner.query('update item set org = 2 where id = 1');
}

const situations = [
  ['a transaction commits late', commitLate],
  ['a row moves to another tenant', moveRow],
] as const;

describe('every client has the answer of a fresh query', () => {
  test.each(situations)('after %s', async (_what, happen) => {
    const clients = await watch(byLedger);
    await happen(clients);
    await expect.poll(() => wrong(clients)).toEqual([]);
  });
});

describe('a client keeps a wrong answer', () => {
  test.each([
    ['changes are read in the order of transaction numbers', byTransactionNumber, commitLate],
    ['changes are swept by time', sweptByTime, commitLate],
    ['changes are narrowed by new keys alone', withoutOldKeys, moveRow],
  ] as const)('if %s', async (_what, read, happen) => {
    const clients = await watch(read);
    await happen(clients);
    await passBy(clients);
    expect(await wrong(clients)).toEqual([1]);
  });
});

/** A live query that is not fetched again after a change during its fetch. */
class ForgetfulCohort extends Cohort {
  #isFetching = false;

  override add(member: CohortMember): void {
    const fetch = async (signal: AbortSignal) => {
      this.#isFetching = true;
      const answer = await member.operation.fetch(signal);
      this.#isFetching = false;
      return answer;
    };
    super.add({ ...member, operation: { ...member.operation, fetch } });
  }

  override refetch(changedAt?: number): void {
    if (!this.#isFetching) super.refetch(changedAt);
  }
}

describe('a change during a fetch', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const makeOptions = () => ({
    queue: new RefetchQueue({ concurrent: 1, perSecond: 1000 }),
    metrics: makeSubscriptionMetrics(undefined),
    gapMs: 0,
    pollMs: 60_000,
    onPoll: () => {},
  });

  test.each([
    ['leads to a second fetch', new Cohort(makeOptions()), 2],
    ['leads to no second fetch of a cohort that forgets it', new ForgetfulCohort(makeOptions()), 1],
  ])('%s', async (_what, cohort, fetches) => {
    const operation = new FakeQuery();
    const answers = new LatestAnswer(new FakeReceiver());
    cohort.add({ operation, share, answers, fail: () => {} });
    cohort.refetch(performance.now());
    await operation.answer('old');
    await vi.advanceTimersByTimeAsync(1000);
    expect(operation.begun).toBe(fetches);
  });
});
