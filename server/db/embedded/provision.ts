import pg from 'pg';
import { ProcessError } from '../../errors.ts';
import { databaseUrl } from '../url.ts';
import { superuser } from './initialise.ts';

/** The role that migrates and applies. It may create roles and tables, and is not a superuser. */
export const ownerRole = 'rowgate_owner';
/** The database of the platform. */
export const platformDatabase = 'platform';

export interface Passwords {
  readonly superuser: string;
  readonly owner: string;
}

export interface ClusterUrls {
  /** URL of the database `platform` with the login `rowgate_owner`. */
  readonly ownerUrl: string;
  /** URL of the database `postgres` with the bootstrap superuser. */
  readonly superuserUrl: string;
}

/** Creates a missing owner role and database. Throws RG_CLUSTER_FAILED for a wrong superuser password. */
export async function provision(port: number, passwords: Passwords): Promise<ClusterUrls> {
  const address = { host: '127.0.0.1', port };
  const superuserUrl = databaseUrl({
    ...address,
    user: superuser,
    password: passwords.superuser,
    database: 'postgres',
  });
  const client = new pg.Client({ connectionString: superuserUrl });
  try {
    await client.connect();
  } catch (error) {
    throw new ProcessError(
      'RG_CLUSTER_FAILED',
      'the embedded Postgres refuses its own supervisor',
      {
        hint: 'the file postgres-superuser-password does not belong to this cluster: restore it',
        cause: error,
      },
    );
  }
  try {
    await ensureOwner(client, passwords.owner);
    await ensureDatabase(client);
  } finally {
    await client.end();
  }
  const owner = { user: ownerRole, password: passwords.owner, database: platformDatabase };
  return { superuserUrl, ownerUrl: databaseUrl({ ...address, ...owner }) };
}

/**
 * Creates the owner role if it is missing, and sets its password each time, because a crash may occur between writing
 * the password file and creating the role.
 */
async function ensureOwner(client: pg.Client, password: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_catalog.pg_roles where rolname = $1', [
    ownerRole,
  ]);
  const verb = rowCount === 0 ? 'create' : 'alter';
  const literal = client.escapeLiteral(password);
  await client.query(`${verb} role ${ownerRole} login createrole password ${literal}`);
}

async function ensureDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_catalog.pg_database where datname = $1', [
    platformDatabase,
  ]);
  if (rowCount === 0) await client.query(`create database ${platformDatabase} owner ${ownerRole}`);
}
