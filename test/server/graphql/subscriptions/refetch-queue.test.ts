import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Share } from '../../../../server/db/requests/fairness/fair-shares.ts';
import { RefetchQueue } from '../../../../server/graphql/subscriptions/refetch-queue.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const shareOf = (role: string, caller: string): Share => ({ role, caller, weight: 1 });

function open(concurrent: number, perSecond = 1000) {
  const queue = new RefetchQueue({ concurrent, perSecond });
  const begun: string[] = [];
  const running: (() => void)[] = [];
  const add = (name: string, share: Share) =>
    queue.add(share, () => {
      begun.push(name);
      return new Promise((resolve) => running.push(resolve));
    });
  const end = async () => {
    running.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { queue, begun, add, end };
}

describe('fetches of subscriptions', () => {
  test('begin at once up to the number that may run at a time', async () => {
    const { begun, add, end } = open(2);
    for (const name of ['1', '2', '3']) add(name, shareOf('member', 'a'));
    expect(begun).toEqual(['1', '2']);
    await end();
    expect(begun).toEqual(['1', '2', '3']);
  });

  test('of a caller with many do not delay those of other callers and roles', async () => {
    const { begun, add, end } = open(1);
    for (const name of ['a1', 'a2', 'a3', 'a4']) add(name, shareOf('member', 'a'));
    add('b1', shareOf('member', 'b'));
    add('c1', shareOf('reader', 'c'));
    for (let count = 0; count < 5; count += 1) await end();
    expect(begun.indexOf('c1')).toBeLessThan(3);
    expect(begun.indexOf('b1')).toBeLessThan(4);
    expect(begun).toHaveLength(6);
  });

  test('of one caller begin at half of the rate of its role', async () => {
    const { begun, add, end } = open(1, 10);
    for (let count = 0; count < 20; count += 1) add('x', shareOf('member', 'a'));
    for (let count = 0; count < 20; count += 1) await end();
    expect(begun).toHaveLength(5);
    await vi.advanceTimersByTimeAsync(200);
    expect(begun).toHaveLength(6);
  });

  test('of all callers of a role begin at its rate', async () => {
    const { begun, add, end } = open(1, 10);
    for (let count = 0; count < 40; count += 1) add('x', shareOf('member', String(count)));
    for (let count = 0; count < 40; count += 1) await end();
    expect(begun).toHaveLength(10);
  });

  test('that wait are dropped when the queue is closed', async () => {
    const { queue, begun, add, end } = open(1);
    for (const name of ['1', '2']) add(name, shareOf('member', 'a'));
    queue.close();
    await end();
    expect(begun).toEqual(['1']);
  });
});
