import type pg from 'pg';
import type { Prepared } from '../../plan/prepare.ts';
import { lockAttempts, lockTimeoutMs, type TableLock, tableLocks } from '../../plan/table-locks.ts';
import { shown } from '../../text/characters.ts';

/** The locks of an apply, and the limits of the time for which it waits for them and holds them. */
export interface Locks {
  readonly tables: readonly TableLock[];
  readonly lockTimeoutMs: number;
  readonly attempts: number;
  /** The statement_timeout of the login, in milliseconds; 0: none. Apply sets none itself. */
  readonly statementTimeoutMs: number;
}

export async function locksOf(client: pg.ClientBase, prepared: Prepared): Promise<Locks> {
  const { rows } = await client.query<{ ms: number }>(
    "select setting::int as ms from pg_catalog.pg_settings where name = 'statement_timeout'",
  );
  return {
    tables: tableLocks(prepared),
    lockTimeoutMs,
    attempts: lockAttempts,
    statementTimeoutMs: rows[0]?.ms ?? 0,
  };
}

const modes: Readonly<Record<TableLock['mode'], string>> = {
  'access exclusive': 'blocks reads and writes (access exclusive)',
  'share update exclusive': 'blocks other changes of the table (share update exclusive)',
};

/** Number of tables that one line names. */
const maxNamed = 10;

/** Formats locks as one line per mode and one about their limits; no lines when no table is locked. */
export function locksText(locks: Locks): readonly string[] {
  if (locks.tables.length === 0) return [];
  const byMode = Map.groupBy(locks.tables, (table) => table.mode);
  return [
    ...[...byMode].map(
      ([mode, tables]) => `until it commits, apply ${modes[mode]}: ${shown(listed(tables))}`,
    ),
    `it waits at most ${locks.lockTimeoutMs / 1000} s for each lock, then lets all go and tries again, ${locks.attempts} times in all; ${limitOf(locks)}`,
  ];
}

function listed(tables: readonly TableLock[]): string {
  const names = tables.slice(0, maxNamed).map(({ schema, name }) => `${schema}.${name}`);
  const more = tables.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more tables` : ''}`;
}

function limitOf({ statementTimeoutMs }: Locks): string {
  return statementTimeoutMs === 0
    ? 'its statements have no time limit (statement_timeout)'
    : `each statement runs at most ${statementTimeoutMs / 1000} s (statement_timeout)`;
}
