import { expect, test } from 'vitest';
import { FairShare } from '../../../server/events/worker/fair-share.ts';

/** Takes as many of the worker's places as one trigger may get, and returns their number. */
function fill(share: FairShare, trigger: string): number {
  let taken = 0;
  while (!share.saturated().includes(trigger)) {
    share.take(trigger);
    taken += 1;
  }
  return taken;
}

test("one event trigger gets half of a worker's concurrent deliveries, and the next trigger half of the rest", () => {
  const share = new FairShare(100);
  expect([fill(share, 'a'), fill(share, 'b'), fill(share, 'c')]).toEqual([50, 25, 13]);
});

test('a trigger may start more deliveries after some of its deliveries have ended', () => {
  const share = new FairShare(4);
  fill(share, 'a');
  share.give('a');
  expect([share.total, share.saturated()]).toEqual([1, []]);
});

test('a worker accepts no delivery when it has reached the maximum of concurrent deliveries', () => {
  const share = new FairShare(2);
  share.take('a');
  expect(share.room()).toBe(1);
  share.take('b');
  expect(share.room()).toBe(0);
});

test('a trigger whose jobs arrive one by one gets no more than its half', () => {
  const share = new FairShare(10);
  for (let taken = 0; taken < 4; taken += 1) share.take('a');
  expect(share.room()).toBe(1);
  share.take('a');
  expect([share.saturated(), share.room()]).toEqual([['a'], 3]);
});
