import { describe, expect, onTestFinished, test } from 'vitest';
import { BusyError } from '../../../server/db/requests/fairness/busy-error.ts';
import { FairQueue } from '../../../server/db/requests/fairness/fair-queue.ts';
import type { Share } from '../../../server/db/requests/fairness/fair-shares.ts';

const share = (role: string, caller: string, weight = 1): Share => ({ role, caller, weight });
const ann = share('user', 'ann');
const bob = share('user', 'bob');
const carl = share('auditor', 'carl');

/** Makes a queue for database connections. `entered` lists the admitted callers in order. */
function makeQueue(places: number, options: { maxWaiting?: number; maxWaitMs?: number } = {}) {
  const { maxWaiting = 1000, maxWaitMs = 60_000 } = options;
  const queue = new FairQueue({
    ...{ places, maxWaiting, maxWaitMs },
    resource: 'a connection to the database',
  });
  const entered: string[] = [];
  const end = new AbortController();
  onTestFinished(() => end.abort());
  const enter = (who: Share, times = 1, signal: AbortSignal = end.signal) =>
    Array.from({ length: times }, () => {
      // Entering at once returns no promise, and a refusal at once throws.
      const waiting = async () => queue.enter(who, signal);
      const one = waiting().then(() => void entered.push(who.caller));
      // Requests that still wait when the test ends are rejected. Without this handler, Node would report the
      // rejection.
      one.catch(() => {});
      return one;
    });
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return { queue, entered, enter, settle };
}

describe('the database connections of the fair queue', () => {
  test('are not all taken by one caller: half stay free for other callers', async () => {
    const { entered, enter, settle } = makeQueue(10);
    enter(ann, 20);
    await settle();
    expect(entered).toEqual(Array(5).fill('ann'));
    enter(bob, 20);
    enter(carl, 20);
    await settle();
    expect(entered.slice(5)).toEqual(['bob', 'carl']);
  });

  test('are not all taken by the callers of one role: some stay free for other roles', async () => {
    const { entered, enter, settle } = makeQueue(10);
    for (let index = 0; index < 20; index += 1) enter(share('user', `user ${index}`));
    await settle();
    expect(entered).toHaveLength(7);
    enter(carl);
    await settle();
    expect(entered.at(-1)).toBe('carl');
  });

  test('are not all taken by one person with several roles: some stay free for other people', async () => {
    const { entered, enter, settle } = makeQueue(10);
    const roles = ['user', 'auditor', 'trader', 'director'];
    for (const role of roles) enter({ ...share(role, 'ann'), person: 'ann' }, 5);
    await settle();
    expect(entered).toHaveLength(5);
    enter(share('user', 'bob'));
    enter(share('trader', 'carl'));
    await settle();
    expect(entered.slice(5)).toEqual(['bob', 'carl']);
  });

  test('are shared by the weight of the roles', async () => {
    const { entered, enter, settle } = makeQueue(10);
    enter(share('import', 'nightly', 4), 20);
    await settle();
    expect(entered).toHaveLength(8);
  });

  test.each([
    [1, 1],
    [2, 1],
    [3, 2],
    [4, 2],
  ])('are used by the only caller, out of %i connections: %i', async (places, expected) => {
    const { entered, enter, settle } = makeQueue(places);
    enter(ann, 5);
    await settle();
    expect(entered).toHaveLength(expected);
  });
});

describe('a connection of the fair queue that becomes free', () => {
  test('goes to the role that has the fewest connections', async () => {
    const { queue, entered, enter, settle } = makeQueue(2);
    for (const who of [ann, bob, ann, carl]) enter(who);
    await settle();
    expect(entered).toEqual(['ann', 'bob']);
    queue.leave(ann, 0);
    await settle();
    expect(entered.slice(2)).toEqual(['carl']);
  });

  test('goes to the callers of one role in turn', async () => {
    const { queue, entered, enter, settle } = makeQueue(1);
    enter(carl);
    enter(ann, 3);
    enter(bob, 3);
    for (const who of [carl, ann, bob, ann, bob, ann]) {
      await settle();
      queue.leave(who, 0);
    }
    await settle();
    expect(entered).toEqual(['carl', 'ann', 'bob', 'ann', 'bob', 'ann', 'bob']);
  });

  test('is given to one waiting request only', async () => {
    const { queue, entered, enter, settle } = makeQueue(1);
    enter(ann, 3);
    await settle();
    queue.leave(ann, 0);
    await settle();
    expect(entered).toHaveLength(2);
    enter(bob);
    await settle();
    expect(entered).toHaveLength(2);
  });
});

describe('a caller of the fair queue, while other callers have requests,', () => {
  const QUICKEST = 30;

  /**
   * Sends ten requests after earlier requests with these durations, and returns how many run at the same time. The
   * quickest request of all callers takes 30 ms.
   */
  async function runningAfter(times: readonly number[], who = ann): Promise<number> {
    const { queue, entered, enter, settle } = makeQueue(10);
    enter(bob);
    await settle();
    queue.leave(bob, QUICKEST);
    enter(carl);
    for (const milliseconds of times) {
      enter(who);
      await settle();
      queue.leave(who, milliseconds);
    }
    enter(who, 10);
    await settle();
    return entered.length - 2 - times.length;
  }

  test('runs one request at a time until one was quick', async () => {
    expect(await runningAfter([])).toBe(1);
    expect(await runningAfter([60])).toBe(1);
  });

  test('runs one more request at a time after each quick request', async () => {
    expect(await runningAfter([35])).toBe(2);
    expect(await runningAfter([35, 35, 35, 35, 35, 35])).toBe(5);
  });

  test('runs half as many requests at a time after a slow one', async () => {
    expect(await runningAfter([35, 35, 35, 90])).toBe(2);
    expect(await runningAfter([35, 35, 35, 90, 90])).toBe(1);
  });

  test('runs more requests at a time in a role with more weight', async () => {
    expect(await runningAfter([90], share('import', 'nightly', 3))).toBe(3);
  });

  test('is no longer limited once the other callers have no requests', async () => {
    const { queue, entered, enter } = makeQueue(10);
    enter(carl);
    enter(ann, 3);
    queue.leave(carl, 1);
    await expect.poll(() => entered, { timeout: 5000 }).toEqual(['carl', 'ann', 'ann', 'ann']);
  });

  test("gets the next connection when one of the caller's own requests ends, however slow that request was", async () => {
    const { queue, entered, enter, settle } = makeQueue(10);
    enter(carl);
    enter(ann, 3);
    await settle();
    queue.leave(ann, 5000);
    await settle();
    queue.leave(ann, 5000);
    await settle();
    expect(entered).toEqual(['carl', 'ann', 'ann', 'ann']);
  });
});

describe('a request that waits in the fair queue', () => {
  test('is refused when it has waited too long, and takes no connection later', async () => {
    const { queue, entered, enter, settle } = makeQueue(1, { maxWaitMs: 1 });
    enter(ann);
    const [waiting] = enter(bob);
    await expect(waiting).rejects.toThrow(
      'the request waited 0.001 s for a connection to the database; nothing was done, try again',
    );
    queue.leave(ann, 0);
    enter(carl);
    await settle();
    expect(entered).toEqual(['ann', 'carl']);
  });

  test('leaves the queue when its signal aborts', async () => {
    const { queue, entered, enter, settle } = makeQueue(1);
    const abort = new AbortController();
    enter(ann);
    const [waiting] = enter(bob, 1, abort.signal);
    abort.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    queue.leave(ann, 0);
    await settle();
    expect(entered).toEqual(['ann']);
  });

  test('counts the waiting requests of two people with equal variables separately, also after they have left', async () => {
    const { queue, enter, settle } = makeQueue(1, { maxWaiting: 20 });
    const [one, two] = ['one', 'two'].map((person) => ({ ...share('user', 'team'), person }));
    enter(carl);
    for (let round = 0; round < 5; round += 1) {
      const stop = new AbortController();
      enter(one as Share, 4, stop.signal);
      const waiting = (async () => queue.enter(two as Share, stop.signal, 4))();
      await settle();
      stop.abort(new Error('disconnected'));
      await expect(waiting).rejects.toThrow('disconnected');
    }
  });

  test('is refused at once when too many requests of its caller wait, while other callers may still wait', async () => {
    const { enter, settle } = makeQueue(1, { maxWaiting: 4 });
    enter(ann, 3);
    await settle();
    const [refused] = enter(ann);
    await expect(refused).rejects.toThrow(BusyError);
    const outcomes: string[] = [];
    enter(carl)[0]?.catch(() => outcomes.push('refused'));
    await settle();
    expect(outcomes).toEqual([]);
  });
});
