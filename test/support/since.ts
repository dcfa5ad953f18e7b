import { inject } from 'vitest';

/** Whether the Postgres that this file's tests run on is of the major version or newer. */
export function since(major: number): boolean {
  return inject('serverVersion') >= major * 10_000;
}
