import { expect, test } from 'vitest';
import { throttle } from '../../../server/gateway/throttle.ts';

test('the throttle of repeated work runs its work once for each of several sequential requests', async () => {
  let count = 0;
  const work = throttle(async () => {
    count += 1;
  }, 0);
  await work.request();
  await work.request();
  expect(count).toBe(2);
});

test('the throttle of repeated work runs its work once for all requests that arrive during an earlier run', async () => {
  const started = Promise.withResolvers<void>();
  const allowed = Promise.withResolvers<void>();
  let count = 0;
  const work = throttle(async () => {
    count += 1;
    started.resolve();
    await allowed.promise;
  }, 0);
  const first = work.request();
  await started.promise;
  const more = Array.from({ length: 100 }, () => work.request());
  allowed.resolve();
  await Promise.all([first, ...more]);
  expect(count).toBe(2);
});

test('the throttle of repeated work does not start a pending run after it is closed', async () => {
  let count = 0;
  const work = throttle(async () => {
    count += 1;
  }, 3_600_000);
  await work.request();
  const second = work.request();
  await work.close();
  await second;
  expect(count).toBe(1);
});
