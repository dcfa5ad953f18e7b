// Runs before each test file. The cleanup needs to know whether a test has failed.
import { afterEach, beforeAll } from 'vitest';
import { forgetFailures, noteFailure } from './failure.ts';

beforeAll(forgetFailures);

afterEach(({ task }) => {
  if (task.result?.state === 'fail') noteFailure();
});
