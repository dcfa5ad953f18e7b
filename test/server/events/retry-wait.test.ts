import { expect, test } from 'vitest';
import { retryWaitMs } from '../../../server/events/worker/retry-wait.ts';

const retry = { limit: 20, interval: 10, maxInterval: 3600, timeout: 60 };
const wait = (failures: number, random = 0) =>
  retryWaitMs(failures, retry, undefined, () => random);

test('the first retry of an event waits for the interval, and each later one twice as long as the one before', () => {
  expect([1, 2, 3, 4].map((failures) => wait(failures))).toEqual([10_000, 20_000, 40_000, 80_000]);
});

test('the random part of a wait adds up to a quarter', () => {
  expect([wait(1, 0.999999), wait(2, 0.5)]).toEqual([12_500, 22_500]);
});

test('no wait exceeds the maximum, and waits at the maximum differ too', () => {
  expect([wait(30), wait(1000, 1)]).toEqual([3_600_000, 2_700_000]);
});

test('a receiver that requires a longer wait in Retry-After gets it', () => {
  expect(retryWaitMs(1, retry, 1_800_000)).toBe(1_800_000);
});

test('a receiver that requires a shorter wait in Retry-After gets no earlier retry, so the tries are not used up sooner', () => {
  expect(retryWaitMs(5, retry, 1500, () => 0)).toBe(160_000);
});
