import { describe, expect, test } from 'vitest';
import { RequestError } from '../../../../server/graphql/request-error.ts';
import type { Changes } from '../../../../server/graphql/subscriptions/changes/changes.ts';
import { RefetchQueue } from '../../../../server/graphql/subscriptions/refetch-queue.ts';
import { Stream } from '../../../../server/graphql/subscriptions/streams/stream.ts';
import { Streams } from '../../../../server/graphql/subscriptions/streams/streams.ts';
import { makeSubscriptionMetrics } from '../../../../server/graphql/subscriptions/subscription-metrics.ts';
import { FakeReceiver, FakeSource, FakeStream, rowsOf, settled, share } from './support/fakes.ts';

function open(operation = new FakeStream(), receiver = new FakeReceiver()) {
  const queue = new RefetchQueue({ concurrent: 4, perSecond: 10_000 });
  const metrics = makeSubscriptionMetrics(undefined);
  const streams = new Streams();
  const source = new FakeSource();
  source.listen((changes) => streams.onChanges(changes));
  const failures: unknown[] = [];
  const fail = (error: unknown) => {
    failures.push(error);
    streams.close(stream);
  };
  const stream = new Stream({ operation, share, receiver, queue, metrics, fail });
  streams.open(stream);
  const ids = () => receiver.sent.flatMap((text) => JSON.parse(text));
  const insert = (...rows: number[]) => {
    for (const row of rows) operation.rows.add(row);
  };
  const report = async (...rows: number[]) => {
    source.report([rowsOf(rows)]);
    await settled();
  };
  return { operation, receiver, streams, stream, source, failures, ids, insert, report };
}

/** Opens a stream that has sent the rows of its table. */
async function openLive(operation?: FakeStream) {
  const opened = open(operation);
  opened.source.report([], false);
  await settled();
  return opened;
}

describe('a stream', () => {
  test('begins after the first report, so that no change is missed', async () => {
    const { source, ids, insert, operation } = open();
    insert(1);
    await settled();
    expect(operation.begun).toBe(0);
    source.report([], false);
    await settled();
    expect(ids()).toEqual([1]);
  });

  test('sends pages in order, and then reported rows', async () => {
    const operation = new FakeStream();
    for (const row of [1, 2, 3, 4, 5]) operation.rows.add(row);
    const { receiver, insert, report } = await openLive(operation);
    insert(6);
    await report(6);
    expect(receiver.sent).toEqual(['[1,2]', '[3,4]', '[5]', '[6]']);
  });

  test('sends a row that commits late, behind the last cursor', async () => {
    const { ids, insert, report } = await openLive();
    insert(9);
    await report(9);
    insert(3);
    await report(3);
    expect(ids()).toEqual([9, 3]);
  });

  test('sends a row once that a page reads before its report arrives', async () => {
    const operation = new FakeStream();
    operation.rows.add(1);
    const { ids, report } = await openLive(operation);
    await report(1);
    expect(ids()).toEqual([1]);
  });

  test('sends a row once that is reported before a page reads it', async () => {
    const { operation, source, ids, insert, report } = open();
    insert(1, 2, 3);
    const read = Promise.withResolvers<void>();
    operation.beforeAnswer = () => read.promise;
    source.report([], false);
    await settled();
    await report(1, 3);
    read.resolve();
    await settled();
    expect(ids()).toEqual([1, 2, 3]);
  });

  test('sends a row again whose cursor has moved', async () => {
    const operation = new FakeStream();
    operation.rows.add(1);
    const { ids, source } = await openLive(operation);
    source.report([rowsOf([1], ['id'])]);
    await settled();
    expect(ids()).toEqual([1, 1]);
  });

  test.each([
    ['moves', [rowsOf([1], ['id'])]],
    ['arrives and moves', [rowsOf([1]), rowsOf([1], ['id'])]],
    ['arrives, is deleted and arrives again', [rowsOf([1]), rowsOf([1])]],
  ])(
    'sends a row again that %s while a page reads it, because the page may show its old place',
    async (_what, changes) => {
      const { operation, source, ids, insert } = open();
      insert(1);
      const read = Promise.withResolvers<void>();
      operation.beforeAnswer = () => read.promise;
      source.report([], false);
      await settled();
      for (const change of changes) source.report([change]);
      read.resolve();
      await settled();
      expect(ids()).toEqual([1, 1]);
    },
  );

  test('remembers no row after all reports of it have arrived', async () => {
    const operation = new FakeStream();
    operation.rows.add(1);
    const { ids, report } = await openLive(operation);
    await report();
    // Postgres reports another row with this key, because the first one was deleted.
    await report(1);
    expect(ids()).toEqual([1, 1]);
  });

  test('does not send a reported row that was deleted', async () => {
    const { ids, report } = await openLive();
    await report(7);
    expect(ids()).toEqual([]);
  });

  test('pauses while the client reads nothing, and loses no row', async () => {
    const { receiver, operation, ids, insert, report } = await openLive();
    receiver.isFull = true;
    insert(1, 2);
    await report(1);
    await report(2);
    expect([ids(), operation.begun]).toEqual([[], 1]);
    await receiver.read();
    expect(ids()).toEqual([1, 2]);
  });

  test.each([
    ['changes may be missing', (source: FakeSource) => source.report([], false)],
    [
      'a statement has changed too many rows',
      (source: FakeSource) => source.report([{ table: 'public.item', keys: null, rows: null }]),
    ],
    [
      'too many rows wait for a slow client',
      (source: FakeSource) =>
        source.report([rowsOf(Array.from({ length: 50_001 }, (_, index) => index))]),
    ],
  ])('ends when %s, and names the way to resume', async (_when, happen) => {
    const { source, failures } = await openLive();
    happen(source);
    await settled();
    expect(failures).toMatchObject([
      {
        code: 'stream-interrupted',
        message: expect.stringContaining('with the cursor of the last row'),
      },
    ]);
  });

  test('ends with an error of the query', async () => {
    const error = new RequestError('permission-error', 'no longer');
    const { operation, failures, report } = await openLive();
    operation.beforeAnswer = () => Promise.reject(error);
    await report(1);
    expect(failures).toEqual([error]);
  });

  test('continues when the database answers again', async () => {
    const { operation, ids, insert, report } = await openLive();
    insert(1);
    const unavailable = () => Promise.reject(new RequestError('unavailable', 'no answer'));
    const outcomes = [unavailable, unavailable];
    operation.beforeAnswer = async () => outcomes.pop()?.();
    await report(1);
    await expect.poll(ids).toEqual([1]);
  });

  test('sends nothing after it is closed', async () => {
    const { stream, streams, ids, insert, report } = await openLive();
    streams.close(stream);
    insert(1);
    await report(1);
    expect(ids()).toEqual([]);
  });

  test.each([1, 2, 3, 4, 5])(
    'sends each of 300 rows once, whatever the order of commits, reports and queries is (seed %i)',
    async (seed) => {
      const random = makeRandom(seed);
      const rows = shuffled(
        Array.from({ length: 300 }, (_, index) => index + 1),
        random,
      );
      const operation = new FakeStream(7);
      const { ids, insert, source } = open(operation);
      const waiting: (() => void)[] = [];
      operation.beforeAnswer = () => new Promise((resolve) => waiting.push(resolve));
      let next = 150;
      let unread: number[] = [];
      const reports: Changes[] = [];
      insert(...rows.slice(0, next));
      source.report([], false);
      const steps = [
        () => {
          const committed = rows.slice(next, next + 1 + random(9));
          next += committed.length;
          insert(...committed);
          unread.push(...committed);
        },
        () => {
          reports.push({
            changes: [rowsOf(unread)],
            isComplete: true,
            readFrom: performance.now(),
          });
          unread = [];
        },
        () => source.reportAll(reports.splice(0, 1)),
        () => waiting.shift()?.(),
      ];
      while (next < rows.length || unread.length > 0 || reports.length > 0) {
        steps[random(steps.length)]?.();
        await settled();
      }
      operation.beforeAnswer = async () => {};
      for (const resume of waiting) resume();
      await expect.poll(() => ids().length).toBeGreaterThanOrEqual(rows.length);
      expect(ids().toSorted((a, b) => a - b)).toEqual(rows.toSorted((a, b) => a - b));
    },
  );
});

/** Makes a function that returns a whole number below `max`, always in the same sequence. */
function makeRandom(seed: number): (max: number) => number {
  let state = seed;
  return (max) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return state % max;
  };
}

function shuffled(values: readonly number[], random: (max: number) => number): readonly number[] {
  return values
    .map((value) => ({ value, place: random(1_000_000) }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ value }) => value);
}
