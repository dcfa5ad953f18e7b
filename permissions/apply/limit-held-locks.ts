import type pg from 'pg';
import { MetadataError, sqlState } from '../errors.ts';

const queryCanceled = '57014';
const idleTooLong = '25P03';

/**
 * Returns a client for the rest of a transaction, which ends before the given time has passed, so that its locks are held
 * no longer. Each statement may take the time that remains, but not more than the login's own statement_timeout. Postgres
 * ends the session if this process stops between two statements.
 * @throws MetadataError RG_LOCK_LIMIT from the query that would take longer
 */
export function limitHeldLocks(client: pg.ClientBase, seconds: number): pg.ClientBase {
  const deadline = performance.now() + seconds * 1000;
  let ownLimit: number | undefined;
  let limitedAt = Number.NEGATIVE_INFINITY;
  const query = async (text: string, values?: unknown[]) => {
    // After a failed statement, Postgres runs nothing but this. A rollback to a savepoint also undoes the limits.
    if (text.startsWith('rollback')) {
      limitedAt = Number.NEGATIVE_INFINITY;
      return client.query(text);
    }
    const now = performance.now();
    const remaining = Math.floor(deadline - now);
    if (remaining <= 0) throw tooLong(seconds);
    try {
      if (now - limitedAt >= toleranceMs / 2) {
        ownLimit ??= await readOwnLimit(client);
        await client.query(limits, [Math.min(remaining, ownLimit), remaining]);
        limitedAt = now;
      }
      return await client.query(text, values);
    } catch (error) {
      const isLate = performance.now() >= deadline - toleranceMs;
      throw isLate && isTimeout(error) ? tooLong(seconds) : error;
    }
  };
  return Object.create(client, { query: { value: query } });
}

/**
 * The accuracy of the time limit. Postgres's timer and this process's clock differ by less. Statements share their limits
 * for half of this time, because most of them take a millisecond, and setting the limits takes as long.
 */
const toleranceMs = 50;

function isTimeout(error: unknown): boolean {
  return [queryCanceled, idleTooLong].includes(sqlState(error) ?? '');
}

/** $1 and $2: milliseconds. A limit of 0 would be none. */
const limits = `select
  pg_catalog.set_config('statement_timeout', $1::int::text, true),
  pg_catalog.set_config('idle_in_transaction_session_timeout', $2::int::text, true)`;

/** Returns the statement_timeout of the login in milliseconds. It does not change while the session lives. */
async function readOwnLimit(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ limit: number }>(
    `select s.reset_val::int as limit from pg_catalog.pg_settings s where s.name = 'statement_timeout'`,
  );
  return rows[0]?.limit || Number.POSITIVE_INFINITY;
}

function tooLong(seconds: number): MetadataError {
  return new MetadataError([
    {
      code: 'RG_LOCK_LIMIT',
      severity: 'error',
      message: `apply needed its locks for longer than ${seconds} s, and nothing was changed`,
      hint: 'give it more time with --lock-seconds, at a time when requests may wait',
    },
  ]);
}
