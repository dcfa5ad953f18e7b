import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Share } from '../../../server/db/requests/fairness/fair-shares.ts';
import { Turns } from '../../../server/graphql/request/turns.ts';

const share = (caller: string, weight = 1): Share => ({ role: 'user', caller, weight });

// A simulated clock, so that work takes exactly the stated time, even on a busy machine.
let now = 0;
beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/**
 * Returns a function that sends a request through `Turns`, and the callers whose requests have run. A request takes the
 * given simulated time.
 */
function makeTurns() {
  const turns = new Turns();
  const ran: string[] = [];
  const send = (who: Share, milliseconds: number, signal?: AbortSignal) =>
    turns.run(
      who,
      async () => {
        now += milliseconds;
        ran.push(who.caller);
      },
      signal,
    );
  return { ran, send };
}

test('the first request of a new caller runs before most waiting requests of a busy caller', async () => {
  const { ran, send } = makeTurns();
  const many = Array.from({ length: 20 }, () => send(share('many'), 2));
  await nextTurn();
  await send(share('one'), 2);
  expect(ran.filter((who) => who === 'many').length).toBeLessThan(5);
  await Promise.all(many);
  expect(ran).toHaveLength(21);
});

test('requests of two callers with many requests run alternately', async () => {
  const { ran, send } = makeTurns();
  await Promise.all(['ann', 'bob', 'ann', 'ann', 'bob', 'bob'].map((who) => send(share(who), 5)));
  expect(ran).toEqual(['ann', 'bob', 'ann', 'bob', 'ann', 'bob']);
});

test('a caller whose role has a higher weight runs more requests than another in the same time', async () => {
  const { ran, send } = makeTurns();
  const heavy = Array.from({ length: 8 }, () => send(share('heavy', 4), 5));
  const light = Array.from({ length: 8 }, () => send(share('light'), 5));
  await Promise.all(heavy);
  expect(ran.filter((who) => who === 'light').length).toBeLessThan(4);
  await Promise.all(light);
});

test('a single caller runs several quick requests in one turn of the event loop', async () => {
  const { ran, send } = makeTurns();
  for (let index = 0; index < 5; index += 1) send(share('ann'), 0);
  expect(ran).toHaveLength(5);
});

test('a waiting request whose client has disconnected does not run', async () => {
  const { ran, send } = makeTurns();
  const end = new AbortController();
  const running = [send(share('ann'), 5), send(share('ann'), 5, end.signal)];
  end.abort(new Error('gone'));
  await expect(running[1]).rejects.toThrow('gone');
  await send(share('ann'), 5);
  expect(ran).toEqual(['ann', 'ann']);
});

test('a request is refused if more than 500 requests of the same caller wait', async () => {
  const { send } = makeTurns();
  const sent = Array.from({ length: 600 }, () => send(share('ann'), 1));
  const settled = await Promise.allSettled(sent);
  expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(99);
  await send(share('ann'), 1);
});

test('a request that fails does not stop the requests after it', async () => {
  const turns = new Turns();
  const fail = () => Promise.reject(new Error('broken'));
  const slow = async () => {
    now += 2;
  };
  const sent = [slow, fail, fail, slow].map((work) => turns.run(share('ann'), work));
  expect((await Promise.allSettled(sent)).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'rejected',
    'fulfilled',
  ]);
});

describe('after requests of more than 10000 other callers', () => {
  /** Returns the order in which a caller that has used much time and a new caller run after many others. */
  async function orderAfter(callers: number, milliseconds: number): Promise<readonly string[]> {
    const { ran, send } = makeTurns();
    await send(share('busy'), 50);
    for (let index = 0; index < callers; index += 1) {
      await send(share(`caller ${index}`), milliseconds);
    }
    await Promise.all(['between', 'busy', 'new'].map((who) => send(share(who), 5)));
    return ran.slice(-3);
  }

  test('callers that have used no time are forgotten before a busy one', async () => {
    expect(await orderAfter(10_001, 0)).toEqual(['between', 'new', 'busy']);
  });

  test('the oldest callers are forgotten, when all have used time', async () => {
    expect(await orderAfter(9_000, 1)).toEqual(['between', 'new', 'busy']);
    expect(await orderAfter(10_001, 1)).toEqual(['between', 'busy', 'new']);
  });
});
