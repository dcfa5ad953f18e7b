import type pg from 'pg';
import { MigrationError } from '../errors.ts';

export interface Migration {
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

/** Checksums of the migrations of a scope that ran, by name, in the order of names. */
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

/** Runs work in a transaction that no other process can change the history beside. */
export async function withLockedHistory<T>(
  client: pg.ClientBase,
  work: () => Promise<T>,
): Promise<T> {
  try {
    // A row cannot be locked before it exists; the table can.
    await client.query('begin; lock table rowgate.migration in exclusive mode');
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    // Fails where the connection was lost, after which Postgres rolls back by itself.
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/** Throws MigrationError where the database has a migration that the program lacks. */
export function refuseUnknown(history: History, known: readonly string[], scope: string): void {
  const unknown = [...history.keys()].find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new MigrationError(
    `the database has migration ${scope}/${unknown}, which this program does not; run a program at least as new as the one that made it`,
  );
}
