import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { BusyError } from '../../../../server/db/requests/fairness/busy-error.ts';
import type { LiveQuery } from '../../../../server/graphql/request/live-operation.ts';
import { RequestError } from '../../../../server/graphql/request-error.ts';
import { Cohorts } from '../../../../server/graphql/subscriptions/cohorts/cohorts.ts';
import { LatestAnswer } from '../../../../server/graphql/subscriptions/cohorts/latest-answer.ts';
import type { CompiledSubscription } from '../../../../server/graphql/subscriptions/compile-subscription.ts';
import { OpenSubscription } from '../../../../server/graphql/subscriptions/open-subscription.ts';
import { RefetchQueue } from '../../../../server/graphql/subscriptions/refetch-queue.ts';
import { Streams } from '../../../../server/graphql/subscriptions/streams/streams.ts';
import { makeSubscriptionMetrics } from '../../../../server/graphql/subscriptions/subscription-metrics.ts';
import { dependsOn, FakeQuery, FakeReceiver, item, share } from './support/fakes.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const config = { maxCohorts: 3, gapMs: 0, pollMs: 5000, floorPollMs: 60_000 };

function open(given: Partial<typeof config> = {}) {
  const queue = new RefetchQueue({ concurrent: 8, perSecond: 10_000 });
  const metrics = makeSubscriptionMetrics(undefined);
  const cohorts = new Cohorts({ config: { ...config, ...given }, queue, metrics });
  const join = (operation: LiveQuery, receiver = new FakeReceiver()) => {
    const failures: unknown[] = [];
    const fail = (error: unknown) => {
      failures.push(error);
      leave();
    };
    const leave = cohorts.join({ operation, share, answers: new LatestAnswer(receiver), fail });
    return { receiver, leave, failures };
  };
  const report = (...changes: ReturnType<typeof item>[]) =>
    cohorts.onChanges({ isComplete: true, changes, readFrom: performance.now() });
  const reportGap = () =>
    cohorts.onChanges({ isComplete: false, changes: [], readFrom: performance.now() });
  return { cohorts, join, report, reportGap };
}

/** The gap for one member has passed. */
const gap = () => vi.advanceTimersByTimeAsync(1);

describe('live queries with equal answers', () => {
  test('share one fetch, and each client gets its answer', async () => {
    const { join, cohorts } = open();
    const query = new FakeQuery();
    const first = join(query);
    await query.answer('1');
    const [second, third] = [join(new FakeQuery()), join(new FakeQuery())];
    await gap();
    await query.answer('1');
    expect([first, second, third].map(({ receiver }) => receiver.sent)).toEqual([
      ['1'],
      ['1'],
      ['1'],
    ]);
    expect([cohorts.size, query.begun]).toEqual([1, 2]);
  });

  test('are fetched with the operation of another client when the first one has left', async () => {
    const { join, report } = open();
    const [one, other] = [new FakeQuery(), new FakeQuery()];
    const first = join(one);
    const second = join(other);
    await one.answer('1');
    first.leave();
    report(item());
    await gap();
    await other.answer('2');
    expect(second.receiver.sent).toEqual(['2']);
  });

  test('are not fetched any more when all clients have left', async () => {
    const { join, report, cohorts } = open();
    const query = new FakeQuery();
    const { leave } = join(query);
    await query.answer('1');
    leave();
    report(item());
    await vi.advanceTimersByTimeAsync(120_000);
    expect([query.begun, cohorts.size]).toEqual([1, 0]);
  });
});

describe('a live query', () => {
  test('is indexed before its first fetch, so a change during that fetch leads to another one', async () => {
    const { join, report } = open();
    const query = new FakeQuery();
    const { receiver } = join(query);
    report(item());
    await query.answer('old');
    await gap();
    await query.answer('new');
    expect(receiver.sent).toEqual(['old', 'new']);
  });

  test('is fetched once more after several changes during a fetch', async () => {
    const { join, report } = open();
    const query = new FakeQuery();
    join(query);
    for (let count = 0; count < 5; count += 1) report(item());
    await query.answer('1');
    await gap();
    await query.answer('2');
    await vi.advanceTimersByTimeAsync(1000);
    expect(query.begun).toBe(2);
  });

  test('gets its first answer from a fetch that begins after it has joined', async () => {
    const { join } = open();
    const query = new FakeQuery();
    join(query);
    const { receiver } = join(new FakeQuery());
    await query.answer('before the client has written');
    expect(receiver.sent).toEqual([]);
    await gap();
    await query.answer('afterwards');
    expect(receiver.sent).toEqual(['afterwards']);
  });

  test('sends an answer only if it differs from the last one', async () => {
    const { join, report } = open();
    const query = new FakeQuery();
    const { receiver } = join(query);
    for (const text of ['1', '1', '2', '1']) {
      await gap();
      await query.answer(text);
      report(item());
    }
    expect(receiver.sent).toEqual(['1', '2', '1']);
  });

  test('is fetched again when changes may be missing', async () => {
    const { join, reportGap } = open();
    const query = new FakeQuery('a', []);
    const { receiver } = join(query);
    await query.answer('1');
    reportGap();
    await gap();
    await query.answer('2');
    expect(receiver.sent).toEqual(['1', '2']);
  });

  test.each([
    ['every minute', false, 80_000],
    ['every few seconds if it can change without a report', true, 7000],
  ])('is fetched without a report %s', async (_when, isPolled, within) => {
    const { join } = open();
    const query = new FakeQuery('a', [dependsOn()], isPolled);
    join(query);
    await query.answer('1');
    await vi.advanceTimersByTimeAsync(0.5 * within);
    expect(query.begun).toBe(1);
    await vi.advanceTimersByTimeAsync(0.5 * within);
    expect(query.begun).toBe(2);
  });

  test('is fetched at most once in the gap, to which each client adds', async () => {
    const { join, report } = open({ gapMs: 100 });
    const query = new FakeQuery();
    for (let count = 0; count < 1000; count += 1) join(query);
    await query.answer('1');
    report(item());
    await vi.advanceTimersByTimeAsync(199);
    expect(query.begun).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(query.begun).toBe(2);
  });

  test.each([
    ['the server is busy', new BusyError('no connection is free')],
    ['the database does not answer', new RequestError('unavailable', 'no answer')],
  ])('is fetched again with a growing wait while %s', async (_what, error) => {
    const { join } = open();
    const query = new FakeQuery();
    const { receiver, failures } = join(query);
    for (const wait of [100, 200, 400]) {
      await query.fail(error);
      await vi.advanceTimersByTimeAsync(wait);
    }
    await query.answer('1');
    expect([receiver.sent, failures, query.begun]).toEqual([['1'], [], 4]);
  });

  test('ends for all clients with any other error', async () => {
    const { join, cohorts } = open();
    const query = new FakeQuery();
    const error = new RequestError('permission-error', 'no longer');
    const clients = [join(query), join(new FakeQuery())];
    await query.answer('1');
    await gap();
    await query.fail(error);
    expect(clients.map(({ failures }) => failures)).toEqual([[error], [error]]);
    expect(cohorts.size).toBe(0);
  });

  test('is refused above the number of different live queries', () => {
    const { join } = open();
    for (const name of ['a', 'b', 'c']) join(new FakeQuery(name));
    expect(() => join(new FakeQuery('d'))).toThrow('as many different subscriptions as it may');
    expect(() => join(new FakeQuery('a'))).not.toThrow();
  });

  test('is not ended by the number of different live queries when all are compiled again', async () => {
    const { cohorts, join } = open();
    const queue = new RefetchQueue({ concurrent: 8, perSecond: 10_000 });
    const metrics = makeSubscriptionMetrics(undefined);
    const failures: unknown[] = [];
    const subscriptions = ['a', 'a', 'b', 'b', 'c', 'c'].map((name) => {
      const compiled = { operation: new FakeQuery(name), share } as unknown as CompiledSubscription;
      const parts = { cohorts, streams: new Streams(), queue, metrics };
      const fail = (error: unknown) => failures.push(error);
      return new OpenSubscription({ ...parts, compiled, receiver: new FakeReceiver(), fail });
    });
    for (const one of subscriptions) one.begin();
    for (const one of subscriptions) {
      const operation = new FakeQuery(`${one.compiled.operation.cohort} by new rules`);
      one.replace({ ...one.compiled, operation });
    }
    expect([cohorts.size, failures]).toEqual([3, []]);
    expect(() => join(new FakeQuery('d'))).toThrow('as many different subscriptions as it may');
  });
});

describe('a client that reads slowly', () => {
  test('gets only the newest answer of those that have arrived meanwhile', async () => {
    const { join, report } = open();
    const query = new FakeQuery();
    const { receiver } = join(query);
    await query.answer('1');
    receiver.isFull = true;
    for (const text of ['2', '3', '4']) {
      report(item());
      await gap();
      await query.answer(text);
    }
    expect(receiver.sent).toEqual(['1']);
    await receiver.read();
    await gap();
    await query.answer('5');
    expect(receiver.sent).toEqual(['1', '5']);
  });

  test('gets no answer of a subscription that it has ended', async () => {
    const { join, report } = open();
    const query = new FakeQuery();
    const { receiver, leave } = join(query);
    await query.answer('1');
    receiver.isFull = true;
    report(item());
    await gap();
    await query.answer('2');
    leave();
    await receiver.read();
    await gap();
    expect([receiver.sent, query.begun]).toEqual([['1'], 2]);
  });
});

describe('a change wakes a live query', () => {
  test.each([
    ['with no keys, by every change of its table', {}, ['org=1'], 2],
    ['by a change with one of its values', { org: ['1', '2'] }, ['org=2'], 2],
    ['by a change with too many values of its column', { org: ['1'] }, ['org*'], 2],
    [
      'by a change with values for all of its columns',
      { org: ['1'], id: ['5'] },
      ['id=5', 'org=1'],
      2,
    ],
    ['not by a change with other values', { org: ['1'] }, ['org=2'], 1],
    [
      'not by a change with a value for only one of its columns',
      { org: ['1'], id: ['5'] },
      ['org=1', 'id=6'],
      1,
    ],
  ])('%s', async (_when, keys, changed, begun) => {
    const { join, report } = open();
    const query = new FakeQuery('a', [dependsOn(keys)]);
    join(query);
    await query.answer('1');
    report(item(...changed));
    await gap();
    expect(query.begun).toBe(begun);
  });

  test('if any occurrence of the table can be concerned', async () => {
    const { join, report } = open();
    const query = new FakeQuery('a', [dependsOn({ org: ['1'] }), dependsOn({ org: ['7'] })]);
    join(query);
    await query.answer('1');
    report(item('org=7'));
    await gap();
    expect(query.begun).toBe(2);
  });

  test('when any row of its table may have changed', async () => {
    const { join, cohorts } = open();
    const query = new FakeQuery('a', [dependsOn({ org: ['1'] })]);
    join(query);
    await query.answer('1');
    const unknown = { table: 'public.item', keys: null, rows: null };
    cohorts.onChanges({ isComplete: true, changes: [unknown], readFrom: 0 });
    await gap();
    expect(query.begun).toBe(2);
  });

  test('not for another table', async () => {
    const { join, report } = open();
    const query = new FakeQuery();
    join(query);
    await query.answer('1');
    report({ table: 'public.other', keys: null, rows: null });
    await gap();
    expect(query.begun).toBe(1);
  });
});
