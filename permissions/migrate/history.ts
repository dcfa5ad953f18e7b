import type pg from 'pg';
import { MigrationError } from '../errors.ts';

export interface Migration {
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
  /** Checksums of earlier texts of the file that differ only in comments, messages and names of local variables. */
  readonly earlierChecksums: readonly string[];
}

/** The migrations of a scope that have run on a database: checksums by file name, sorted by name. */
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

/** Runs work in a transaction with a lock, so that no other process can change the history meanwhile. */
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
    // The rollback fails when the connection is lost. In that case Postgres itself rolls the transaction back.
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/**
 * @throws MigrationError when the database has run a migration that this program does not know, e.g. of a newer version
 */
export function refuseUnknown(history: History, known: readonly string[], scope: string): void {
  const unknown = [...history.keys()].find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new MigrationError(
    `the database has migration ${scope}/${unknown}, which this program does not; run a program at least as new as the one that made it`,
  );
}
