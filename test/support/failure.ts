import { afterEach } from 'vitest';

let failed = false;

afterEach(({ task }) => {
  failed ||= task.result?.state === 'fail';
});

/** Whether a test of this file has failed so far. */
export function fileHasFailed(): boolean {
  return failed;
}
