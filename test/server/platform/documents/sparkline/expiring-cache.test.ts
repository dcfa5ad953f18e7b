import { expect, test } from 'vitest';
import { ExpiringCache } from '../../../../../server/platform/documents/sparkline/expiring-cache.ts';

function makeCache(budget = 1000) {
  const clock = { now: 0 };
  const made: string[] = [];
  const cache = new ExpiringCache<string>({
    lifetimeMs: 480_000,
    budget,
    costOf: (value) => value.length,
    now: () => clock.now,
  });
  const get = (key: string, value = key) =>
    cache.get(key, async () => {
      made.push(key);
      return value;
    });
  return { cache, clock, made, get };
}

test('the cache of values with a lifetime computes the value of a key once within its lifetime', async () => {
  const { clock, made, get } = makeCache();
  await get('a', 'first');
  clock.now = 479_999;
  expect(await get('a', 'second')).toEqual({ value: 'first', madeAt: 0 });
  clock.now = 480_000;
  expect(await get('a', 'third')).toEqual({ value: 'third', madeAt: 480_000 });
  expect(made).toEqual(['a', 'a']);
});

test('the cache of values with a lifetime stores the values of different keys separately', async () => {
  const { get } = makeCache();
  await get('a');
  expect((await get('b')).value).toBe('b');
});

test('the cache of values with a lifetime computes a value once for callers that arrive at the same time', async () => {
  const { cache, made, get } = makeCache();
  const { promise, resolve } = Promise.withResolvers<string>();
  const first = cache.get('a', () => promise);
  const others = [get('a'), get('a')];
  resolve('shared');
  expect((await Promise.all([first, ...others])).map(({ value }) => value)).toEqual([
    'shared',
    'shared',
    'shared',
  ]);
  expect(made).toEqual([]);
});

test('the cache of values with a lifetime reports a failed computation to all waiting callers, and does not store it', async () => {
  const { cache, get } = makeCache();
  const { promise, reject } = Promise.withResolvers<string>();
  const waiting = [cache.get('a', () => promise), get('a')];
  reject(new Error('down'));
  const outcomes = await Promise.allSettled(waiting);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect((await get('a', 'well')).value).toBe('well');
});

test('the cache of values with a lifetime removes the least recently used values when it is full', async () => {
  const { made, get } = makeCache(24);
  await get('a', 'x'.repeat(10));
  await get('b', 'x'.repeat(10));
  await get('a');
  await get('c', 'x'.repeat(10));
  await get('a');
  await get('b');
  expect(made).toEqual(['a', 'b', 'c', 'b']);
});
