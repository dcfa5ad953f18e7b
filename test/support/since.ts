import { inject } from 'vitest';

/** Returns whether the Postgres of this test run has at least this major version. */
export function since(major: number): boolean {
  return inject('serverVersion') >= major * 10_000;
}
