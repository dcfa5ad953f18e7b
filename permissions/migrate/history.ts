import type pg from 'pg';
import { MigrationError } from '../errors.ts';

export interface Migration {
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

/** Checksums of the migrations of a scope that have run, by file name, in the order of names. */
export type History = ReadonlyMap<string, string>;

export async function readHistory(client: pg.ClientBase, scope: string): Promise<History> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from rowgate.migration where scope = $1 order by name collate "C"',
    [scope],
  );
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

export async function recordMigration(
  client: pg.ClientBase,
  scope: string,
  { name, checksum }: Migration,
): Promise<void> {
  await client.query('insert into rowgate.migration (scope, name, checksum) values ($1, $2, $3)', [
    scope,
    name,
    checksum,
  ]);
}

/** Runs work in a transaction that keeps all other processes from changing the history. */
export async function withLockedHistory<T>(
  client: pg.ClientBase,
  work: () => Promise<T>,
): Promise<T> {
  try {
    // The row may not exist yet, so the lock is on the table.
    await client.query('begin; lock table rowgate.migration in exclusive mode');
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    // The rollback fails when the connection is lost. Postgres then rolls back by itself.
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/** @throws MigrationError when the database has a migration that the program does not know */
export function refuseUnknown(history: History, known: readonly string[], scope: string): void {
  const unknown = [...history.keys()].find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new MigrationError(
    `the database has migration ${scope}/${unknown}, which this program does not; run a program at least as new as the one that made it`,
  );
}
