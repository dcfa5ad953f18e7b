import type pg from 'pg';
import { CommandError } from '../errors.ts';
import { runStatements } from '../plan/run-statements.ts';
import { ident, sql } from '../text/sql-text.ts';

/** Gives a login the CONNECT privilege on this database when PUBLIC does not have it. */
export async function letConnect(client: pg.ClientBase, name: string): Promise<void> {
  if (await mayConnect(client, name)) return;
  const database = await currentDatabase(client);
  await runStatements(client, [
    sql`grant connect on database ${ident(database)} to ${ident(name)}`,
  ]);
  if (await mayConnect(client, name)) return;
  throw new CommandError('RG_LOGIN', `"${name}" would not be let into database "${database}"`, {
    hint: `as its owner: grant connect on database ${ident(database).text} to public, or let DATABASE_URL be its owner`,
    exitCode: 1,
  });
}

async function mayConnect(client: pg.ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    "select pg_catalog.has_database_privilege($1::name, pg_catalog.current_database(), 'CONNECT') as may",
    [name],
  );
  return rows[0]?.may === true;
}

/** Returns the names of the other databases of the cluster to which the login may connect, for a warning. */
export async function otherDatabases(
  client: pg.ClientBase,
  name: string,
): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select d.datname as name from pg_catalog.pg_database d
     where d.datallowconn and d.datname <> pg_catalog.current_database() and pg_catalog.has_database_privilege($1::name, d.oid, 'CONNECT')
     order by 1`,
    [name],
  );
  return rows.map((row) => row.name);
}

/** Returns the name of the connected database. */
export async function currentDatabase(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ database: string }>(
    'select pg_catalog.current_database() as database',
  );
  return rows[0]?.database ?? '';
}
