let failed = false;

/** Starts a new file; files that run in one process share this module. */
export function forgetFailures(): void {
  failed = false;
}

export function noteFailure(): void {
  failed = true;
}

/** Returns whether a test of this file has failed so far. */
export function fileHasFailed(): boolean {
  return failed;
}
