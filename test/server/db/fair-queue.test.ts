import { describe, expect, onTestFinished, test } from 'vitest';
import { BusyError } from '../../../server/db/requests/busy-error.ts';
import { FairQueue } from '../../../server/db/requests/fair-queue.ts';
import type { Share } from '../../../server/db/requests/fair-shares.ts';

const share = (role: string, caller: string, weight = 1): Share => ({ role, caller, weight });
const ann = share('user', 'ann');
const bob = share('user', 'bob');
const carl = share('auditor', 'carl');

/** A queue, and the admitted callers in order. */
function makeQueue(places: number, options: { maxWaiting?: number; maxWaitMs?: number } = {}) {
  const { maxWaiting = 1000, maxWaitMs = 60_000 } = options;
  const queue = new FairQueue({ places, maxWaiting, maxWaitMs });
  const entered: string[] = [];
  const end = new AbortController();
  onTestFinished(() => end.abort());
  const enter = (who: Share, times = 1, signal: AbortSignal = end.signal) =>
    Array.from({ length: times }, () => {
      const one = queue.enter(who, signal).then(() => void entered.push(who.caller));
      // Tests ignore the requests that still wait at their end.
      one.catch(() => {});
      return one;
    });
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return { queue, entered, enter, settle };
}

describe('places', () => {
  test('are left for other callers, however many requests one caller sends', async () => {
    const { entered, enter, settle } = makeQueue(10);
    enter(ann, 20);
    await settle();
    expect(entered).toEqual(Array(5).fill('ann'));
    enter(bob, 20);
    enter(carl, 20);
    await settle();
    expect(entered.slice(5)).toEqual(['bob', 'carl']);
  });

  test('are left for other roles by all callers of one role', async () => {
    const { entered, enter, settle } = makeQueue(10);
    for (let index = 0; index < 20; index += 1) enter(share('user', `user ${index}`));
    await settle();
    expect(entered).toHaveLength(7);
    enter(carl);
    await settle();
    expect(entered.at(-1)).toBe('carl');
  });

  test('are left for others by a person with several roles', async () => {
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

  test('go to a role by its weight', async () => {
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
  ])('for a lone caller, out of %i: %i', async (places, expected) => {
    const { entered, enter, settle } = makeQueue(places);
    enter(ann, 5);
    await settle();
    expect(entered).toHaveLength(expected);
  });
});

describe('the next place', () => {
  test('goes to the role that holds the least', async () => {
    const { queue, entered, enter, settle } = makeQueue(2);
    for (const who of [ann, bob, ann, carl]) enter(who);
    await settle();
    expect(entered).toEqual(['ann', 'bob']);
    queue.leave(ann, 0);
    await settle();
    expect(entered.slice(2)).toEqual(['carl']);
  });

  test('goes to the callers of a role in turn', async () => {
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

  test('is assigned only once', async () => {
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

describe('a caller beside other callers', () => {
  const QUICKEST = 30;

  /** Returns how many of ten requests run at a time, after earlier ones of the given durations. The quickest takes 30 ms. */
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

  test('runs one request at a time until some were quick', async () => {
    expect(await runningAfter([])).toBe(1);
    expect(await runningAfter([60])).toBe(1);
  });

  test('runs one more for each quick request', async () => {
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

  test('runs without that limit once the other callers have left', async () => {
    const { queue, entered, enter } = makeQueue(10);
    enter(carl);
    enter(ann, 3);
    queue.leave(carl, 1);
    await expect.poll(() => entered, { timeout: 5000 }).toEqual(['carl', 'ann', 'ann', 'ann']);
  });

  test('whose requests wait is served when one of its own ends, however slow that was', async () => {
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

describe('a request that waits', () => {
  test('is refused when it has waited too long, and takes no place later', async () => {
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

  test('leaves when its signal aborts', async () => {
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

  test('is refused at once when too many requests of its caller wait, while other callers may wait', async () => {
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
