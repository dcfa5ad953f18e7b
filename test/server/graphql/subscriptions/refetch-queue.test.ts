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
  const add = (name: string, ...shares: readonly Share[]) => {
    const work = () => {
      begun.push(name);
      return new Promise<void>((resolve) => running.push(resolve));
    };
    return queue.add(...shares.map((share) => ({ share, work })));
  };
  const end = async () => {
    running.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { queue, begun, add, end };
}

describe('fetches of subscriptions', () => {
  test('begin at once up to the number that may run at a time', async () => {
    const { begun, add, end } = open(2);
    for (const name of ['1', '2', '3']) add(name, shareOf('member', name));
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

  test.each([
    ['caller', (name: string) => shareOf('member', name === 'b' ? 'b' : 'a'), 4],
    ['role', (name: string) => shareOf(name === 'b' ? 'reader' : 'member', name), 6],
  ])('of one %s that never end leave room for those of others', (_whose, share, running) => {
    const { begun, add } = open(8);
    for (let count = 0; count < 20; count += 1) add(String(count), share(String(count)));
    expect(begun).toHaveLength(running);
    add('b', share('b'));
    expect(begun).toContain('b');
  });

  test('for several callers begin once, with the first turn of one of them', async () => {
    const { begun, add, end } = open(8, 10);
    for (let count = 0; count < 20; count += 1) add('a', shareOf('member', 'a'));
    add('both', shareOf('member', 'a'), shareOf('member', 'b'));
    expect(begun).toContain('both');
    for (let count = 0; count < 30; count += 1) {
      await end();
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(begun).toHaveLength(21);
  });

  test('that were dropped take no turn of their caller', async () => {
    const { begun, add, end } = open(1, 10);
    add('first', shareOf('member', 'a'));
    const drops = Array.from({ length: 1000 }, () => add('x', shareOf('member', 'a')));
    for (const drop of drops) drop();
    add('last', shareOf('member', 'a'));
    await end();
    expect(begun).toEqual(['first', 'last']);
  });

  test('that wait are dropped when the queue is closed', async () => {
    const { queue, begun, add, end } = open(1);
    for (const name of ['1', '2']) add(name, shareOf('member', 'a'));
    queue.close();
    await end();
    expect(begun).toEqual(['1']);
  });
});
