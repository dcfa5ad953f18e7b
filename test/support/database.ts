import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { withDatabase } from '../../server/db/url.ts';
import { fileHasFailed } from './failure.ts';
import { query } from './query.ts';
import { since } from './since.ts';
import { asSuperuser } from './superuser.ts';
import {
  ensureOwnTemplate,
  ensureTemplate,
  type OwnTemplate,
  renewInstallation,
  type Template,
} from './template.ts';

const objectInUse = '55006';
const stillNeeded = '2BP01';

/** The database of one test file. */
export interface TestDatabase {
  readonly name: string;
  /** URL for rowgate_owner, which has CREATEROLE and is not a superuser. */
  readonly ownerUrl: string;
  readonly superuserUrl: string;
  /** Whether the rules of the platform are applied, for Postgres roles that several databases share. */
  readonly isApplied: boolean;
  /** Opens a connection as the owner. `drop` ends it unless the test has done so. */
  connectOwner(): Promise<pg.Client>;
  /** Opens a connection as the superuser. `drop` ends it unless the test has done so. */
  connectSuperuser(): Promise<pg.Client>;
  /** Ends the connections and drops the database. After a failed test it prints the name of the database instead. */
  drop(): Promise<void>;
}

/**
 * Creates a database from a template.
 * - `empty` (default): belongs to rowgate_owner and has citext, ltree and pgcrypto.
 * - `gateway`: also has the schemas of Rowgate, as after the first apply.
 * - `platform`: also has all migrations and the demo data.
 * - `applied`: also has the rules of the platform; for files that change neither rules nor Postgres roles.
 * - a template of its own: all files with the same content share its Postgres roles, so they must not change them.
 */
export async function createDatabase(
  options: { readonly from?: Template | OwnTemplate } = {},
): Promise<TestDatabase> {
  const { from = 'empty' } = options;
  const template = await (typeof from === 'string'
    ? ensureTemplate(from)
    : ensureOwnTemplate(from));
  const name = `test_${randomBytes(6).toString('hex')}`;
  // In Postgres 15 and later, the default strategy would first write every page to the WAL.
  const strategy = since(15) ? ' strategy file_copy' : '';
  await asSuperuser(`create database ${name} template ${template} owner rowgate_owner${strategy}`);
  const ownerUrl = withDatabase(inject('ownerUrl'), name);
  const superuserUrl = withDatabase(inject('superuserUrl'), name);
  const isApplied = from === 'applied';
  if (from === 'platform' || from === 'gateway') await query(superuserUrl, renewInstallation);
  const clients: pg.Client[] = [];
  const connect = async (url: string) => {
    const client = new pg.Client({ connectionString: url });
    // Tests cut off connections. The next query then fails; without a listener, the error event would end the process.
    client.on('error', () => {});
    clients.push(client);
    await client.connect();
    return client;
  };
  return {
    name,
    ownerUrl,
    superuserUrl,
    isApplied,
    connectOwner: () => connect(ownerUrl),
    connectSuperuser: () => connect(superuserUrl),
    drop: () => dropDatabase(name, clients),
  };
}

async function dropDatabase(name: string, clients: readonly pg.Client[]): Promise<void> {
  await Promise.allSettled(clients.map((client) => client.end()));
  if (fileHasFailed()) {
    process.stderr.write(`kept database ${name}; KEEP_TEST_CLUSTER=1 keeps it after the run\n`);
    return;
  }
  await dropUnused(name);
  await dropRoles(name);
}

/**
 * Drops the roles that Rowgate made for the database. Postgres walks through all roles of the cluster for a grant, so
 * thousands of unused ones would slow down every apply. Roles that a copy of the database still uses stay.
 */
async function dropRoles(name: string): Promise<void> {
  const [row] = (await asSuperuser(`
    select string_agg(quote_ident(r.rolname), ', ') as names
    from pg_roles r join pg_shdescription d on d.objoid = r.oid and d.classoid = 'pg_authid'::regclass
    where d.description like 'rowgate%${name}'`)) as { names: string | null }[];
  if (!row?.names) return;
  await asSuperuser(`drop role ${row.names}`).catch((error: pg.DatabaseError) => {
    if (error.code !== stillNeeded) throw error;
  });
}

/**
 * Postgres waits some seconds for sessions that are ending. A forced drop would cut them off: `end` of a pool resolves
 * before its connections have closed, and an error on one of them would have no listener.
 */
async function dropUnused(name: string): Promise<void> {
  const drop = `drop database if exists ${name}`;
  await asSuperuser(drop).catch((error: pg.DatabaseError) => {
    if (error.code !== objectInUse) throw error;
    return asSuperuser(`${drop} with (force)`);
  });
}
