import { expect, test } from 'vitest';
import { handlersMs } from '../../../server/graphql/execute/extension-runner.ts';

test.each([
  ['the operation calls no handler: no time', 0, 3, 0],
  ['a few handlers are called in turn: the sum of their time limits', 10_000, 3, 30_000],
  ['many handlers are called in turn: at most one minute', 10_000, 300, 60_000],
  ['the time limit of one handler is longer than one minute: this time limit', 90_000, 2, 90_000],
])(
  'handlersMs, the time that an operation may wait for the handlers of actions, when %s',
  (_what, longest, calls, ms) => {
    expect(handlersMs(longest, calls)).toBe(ms);
  },
);
