import type { Prepared } from '../../plan/prepare.ts';
import {
  lockAttempts,
  lockTimeoutMs,
  maxHeldSeconds,
  type TableLock,
  tableLocks,
} from '../../plan/table-locks.ts';
import { shown } from '../../text/characters.ts';

/** The locks of an apply, and the limits of the time for which it waits for them and holds them. */
export interface Locks {
  readonly tables: readonly TableLock[];
  readonly lockTimeoutMs: number;
  readonly attempts: number;
  /** The limit of `apply --lock-seconds`, unless that option sets another. */
  readonly heldSeconds: number;
}

export function locksOf(prepared: Prepared): Locks {
  return {
    tables: tableLocks(prepared),
    lockTimeoutMs,
    attempts: lockAttempts,
    heldSeconds: maxHeldSeconds,
  };
}

const modes: Readonly<Record<TableLock['mode'], string>> = {
  'access exclusive': 'blocks reads and writes (access exclusive)',
  'share update exclusive': 'blocks other changes of the table (share update exclusive)',
};

/** Number of tables that one line names. */
const maxNamed = 10;

/** Formats locks as one line per mode and two about their limits; no lines when no table is locked. */
export function locksText(locks: Locks): readonly string[] {
  if (locks.tables.length === 0) return [];
  const byMode = Map.groupBy(locks.tables, (table) => table.mode);
  return [
    ...[...byMode].map(
      ([mode, tables]) => `until it commits, apply ${modes[mode]}: ${shown(listed(tables))}`,
    ),
    `it waits at most ${locks.lockTimeoutMs / 1000} s for each lock, then lets all go and tries again, ${locks.attempts} times in all`,
    `it holds them for at most ${locks.heldSeconds} s (--lock-seconds), or changes nothing`,
  ];
}

function listed(tables: readonly TableLock[]): string {
  const names = tables.slice(0, maxNamed).map(({ schema, name }) => `${schema}.${name}`);
  const more = tables.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more tables` : ''}`;
}
