import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { MigrationError, sqlState } from '../errors.ts';
import { recordBaseline } from './baseline.ts';
import {
  type Migration,
  readHistory,
  recordMigration,
  refuseUnknown,
  withLockedHistory,
} from './history.ts';
import { readOptionalJson } from './optional-json.ts';

/** The content of `earlier-checksums.json`: checksums by file name. */
type EarlierChecksums = Readonly<Record<string, readonly string[]>>;

/**
 * Runs the pending migrations of a folder in the order of their names, one transaction each. Several processes may call
 * it at the same time: one runs the migrations, and the others wait. When the folder has a `baseline.json`, its files
 * may replace an older set of files, see `recordBaseline`. When it has an `earlier-checksums.json`, a database that ran
 * an earlier text of a file, with the same effect, counts as having run the file.
 * @param scope the owner of the migrations; each scope has its own file names
 * @returns the names of the migrations that ran now
 * @throws MigrationError when a file fails, was edited or removed after it ran, or when an older set cannot be replaced
 */
export async function migrate(
  client: pg.ClientBase,
  directory: string,
  scope: string,
): Promise<string[]> {
  const migrations = await readMigrations(directory);
  await prepare(client);
  await recordBaseline(client, directory, { scope, migrations });
  const done = await readHistory(client, scope);
  const ran: string[] = [];
  for (const migration of migrations) {
    const checksum = done.get(migration.name);
    if (checksum !== undefined) refuseEdited(checksum, migration, scope);
    else if (await runOne(client, migration, scope)) ran.push(migration.name);
  }
  refuseUnknown(
    done,
    migrations.map((one) => one.name),
    scope,
  );
  return ran;
}

/**
 * Returns the names of the migrations of a folder that have not run yet. All of them when the login may not read which
 * have run.
 * @throws MigrationError when the database has run a migration that the folder lacks, or one that was edited afterwards
 */
export async function pendingMigrations(
  client: pg.ClientBase,
  directory: string,
  scope: string,
): Promise<readonly string[]> {
  const migrations = await readMigrations(directory);
  const names = migrations.map(({ name }) => name);
  const { rows } = await client.query<{ readable: boolean }>(
    `select pg_catalog.has_schema_privilege(n.oid, 'USAGE') and pg_catalog.has_table_privilege(c.oid, 'SELECT') as readable
     from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'rowgate' and c.relname = 'migration'`,
  );
  if (!rows[0]?.readable) return names;
  const history = await readHistory(client, scope);
  refuseUnknown(history, names, scope);
  for (const migration of migrations) {
    const checksum = history.get(migration.name);
    if (checksum !== undefined) refuseEdited(checksum, migration, scope);
  }
  return names.filter((one) => !history.has(one));
}

async function readMigrations(directory: string): Promise<readonly Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();
  const earlier = await readOptionalJson<EarlierChecksums>(
    join(directory, 'earlier-checksums.json'),
  );
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(directory, name), 'utf8');
      const checksum = createHash('sha256').update(text).digest('hex');
      return { name, text, checksum, earlierChecksums: earlier?.[name] ?? [] };
    }),
  );
}

const preparation = `
create schema if not exists rowgate;
create table if not exists rowgate.migration (
  scope text not null, name text not null, checksum text not null,
  applied_at timestamptz not null default pg_catalog.now(), primary key (scope, name));
alter table rowgate.migration enable row level security;`;

// These errors occur when two processes create the table at the same time, so the statement is tried again. `if not
// exists` does not see an object that another transaction is creating. Even after the commit of that transaction, other
// sessions see the object only some microseconds later.
const racing = new Set(['23505', '42P06', '42P07', 'XX000']);
const preparationAttempts = 20;
const pauseMs = 25;

async function prepare(client: pg.ClientBase): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const { rows } = await client.query(
      "select pg_catalog.to_regclass('rowgate.migration') as made",
    );
    if (rows[0]?.made) return;
    try {
      await client.query(preparation);
      return;
    } catch (error) {
      if (!racing.has(sqlState(error) ?? '')) throw error;
      if (attempt >= preparationAttempts) throw error;
      await wait(pauseMs);
    }
  }
}

function runOne(client: pg.ClientBase, migration: Migration, scope: string): Promise<boolean> {
  return withLockedHistory(client, async () => {
    const checksum = (await readHistory(client, scope)).get(migration.name);
    if (checksum !== undefined) refuseEdited(checksum, migration, scope);
    else await perform(client, migration, scope);
    return checksum === undefined;
  });
}

function refuseEdited(checksum: string, migration: Migration, scope: string): void {
  if (checksum === migration.checksum || migration.earlierChecksums.includes(checksum)) return;
  throw new MigrationError(
    `migration ${scope}/${migration.name} was edited after it ran; restore the file and put the change into a new one`,
  );
}

async function perform(client: pg.ClientBase, migration: Migration, scope: string): Promise<void> {
  try {
    await client.query(migration.text);
  } catch (cause) {
    const { message } = cause as Error;
    throw new MigrationError(
      `migration ${scope}/${migration.name} failed and was rolled back: ${message}`,
      cause,
    );
  }
  await recordMigration(client, scope, migration);
}
