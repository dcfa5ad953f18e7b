import { expect, test } from 'vitest';
import { handlersMs } from '../../../server/graphql/execute/extension-runner.ts';

test.each([
  ['none is called', 0, 3, 0],
  ['a few are called one after the other', 10_000, 3, 30_000],
  ['many are called one after the other', 10_000, 300, 60_000],
  ['one may take longer than that', 90_000, 2, 90_000],
])('an operation waits for handlers for a limited time when %s', (_what, longest, calls, ms) => {
  expect(handlersMs(longest, calls)).toBe(ms);
});
