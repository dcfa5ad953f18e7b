// Run before each file of tests: who cleans up must know whether there is something to look at.
import { afterEach, beforeAll } from 'vitest';
import { forgetFailures, noteFailure } from './failure.ts';

beforeAll(forgetFailures);

afterEach(({ task }) => {
  if (task.result?.state === 'fail') noteFailure();
});
