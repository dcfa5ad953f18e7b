import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { isLockFailure, MetadataError, sqlState } from '../errors.ts';
import { lockAttempts } from '../plan/table-locks.ts';
import { lockHolders } from './lock-holders.ts';

/**
 * Runs a transaction again when it does not get its locks in time. Between two attempts it holds none, so that other
 * sessions continue.
 */
export async function withLockRetries<T>(
  once: () => Promise<T>,
  attempts = lockAttempts,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await once();
    } catch (error) {
      if (!isRetryable(error) || attempt >= attempts) throw error;
      await wait(Math.min(1000, 25 * 2 ** Math.min(attempt, 5)) * (0.5 + Math.random() / 2));
    }
  }
}

function isRetryable(error: unknown): boolean {
  const message = error instanceof Error ? error.message : '';
  return isLockFailure(error) || /tuple concurrently (updated|deleted)/.test(message);
}

const words = {
  apply: { locks: 'what apply must change', again: 'run apply again later' },
  test: {
    locks: 'what the tests must lock',
    again: 'run the tests again later, or in a database for tests',
  },
} as const;

/** Returns RG_LOCKED for a lock that stayed taken during all attempts, and any other failure as it is. */
export async function lockedOut(
  client: pg.ClientBase,
  cause: unknown,
  command: keyof typeof words,
): Promise<unknown> {
  if (sqlState(cause) !== '55P03') return cause;
  const holders = await lockHolders(client);
  const which =
    holders.length > 0
      ? `sessions that hold such locks now, by pid: ${holders.join(', ')}`
      : 'pg_locks and pg_stat_activity show which';
  const { locks, again } = words[command];
  return new MetadataError([
    {
      code: 'RG_LOCKED',
      severity: 'error',
      message: `another session keeps locks on ${locks}, and nothing was changed`,
      hint: `${which}; end it, or ${again}`,
    },
  ]);
}
