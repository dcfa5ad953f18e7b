import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { withDatabase } from '../../server/db/url.ts';
import { fileHasFailed } from './failure.ts';
import { query } from './query.ts';
import { since } from './since.ts';
import { asSuperuser } from './superuser.ts';
import { ensureTemplate, type Template } from './template.ts';

const objectInUse = '55006';

/** A database of one test file. */
export interface TestDatabase {
  readonly name: string;
  /** As rowgate_owner: CREATEROLE, no superuser. */
  readonly ownerUrl: string;
  readonly superuserUrl: string;
  /** Whether the platform's rules are in force, for Postgres roles that other databases share. */
  readonly isApplied: boolean;
  /** A new connection as the owner; ended by `drop` if the test has not. */
  connectOwner(): Promise<pg.Client>;
  /** A new connection as the superuser; ended by `drop` if the test has not. */
  connectSuperuser(): Promise<pg.Client>;
  /** Ends its connections and drops it, unless a test of the file has failed: then its name is printed. */
  drop(): Promise<void>;
}

/**
 * Makes a database: `empty` (the default) is owned by rowgate_owner and has citext, ltree and pgcrypto; `gateway` has
 * Rowgate's own schemas besides, as the first apply makes them; `platform` has all migrations and the seed; `applied`
 * has the platform's rules in force besides, for files that change no rule and no Postgres role.
 */
export async function createDatabase(
  options: { readonly from?: Template } = {},
): Promise<TestDatabase> {
  const { from = 'empty' } = options;
  const template = await ensureTemplate(from);
  const name = `test_${randomBytes(6).toString('hex')}`;
  // From 15 on the default writes every page to the log first.
  const strategy = since(15) ? ' strategy file_copy' : '';
  await asSuperuser(`create database ${name} template ${template} owner rowgate_owner${strategy}`);
  const ownerUrl = withDatabase(inject('ownerUrl'), name);
  const superuserUrl = withDatabase(inject('superuserUrl'), name);
  const isApplied = from === 'applied';
  if (from === 'platform' || from === 'gateway') await becomeInstallation(superuserUrl);
  const clients: pg.Client[] = [];
  const connect = async (url: string) => {
    const client = new pg.Client({ connectionString: url });
    // Tests cut connections off. That fails the next query; as an event that nobody listens to it would end the process.
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

/** A copy would take the Postgres roles of its siblings for its own. */
async function becomeInstallation(superuserUrl: string): Promise<void> {
  await query(superuserUrl, 'update rowgate.installation set id = default');
}

async function dropDatabase(name: string, clients: readonly pg.Client[]): Promise<void> {
  await Promise.allSettled(clients.map((client) => client.end()));
  if (fileHasFailed()) {
    process.stderr.write(`kept database ${name}; KEEP_TEST_CLUSTER=1 keeps it after the run\n`);
    return;
  }
  await dropUnused(name);
}

/**
 * Postgres waits some seconds for those that are leaving. To force would cut them off: a pool's `end` comes back before
 * its connections have closed, and what they then meet is an error that nobody listens to.
 */
async function dropUnused(name: string): Promise<void> {
  const drop = `drop database if exists ${name}`;
  await asSuperuser(drop).catch((error: pg.DatabaseError) => {
    if (error.code !== objectInUse) throw error;
    return asSuperuser(`${drop} with (force)`);
  });
}
