import pg from 'pg';
import { inject } from 'vitest';
import { withDatabase } from '../../server/db/url.ts';
import { query } from './query.ts';

/** What a test's database is cloned from. */
export type Template = 'empty' | 'platform';

const templateLock = 7_406_411;

/** Before 15 everybody may create objects there; an administrator has to close it for apply. */
const closePublicSchema = [
  'revoke create on schema public from public',
  'grant create on schema public to rowgate_owner',
];

const fillers: Readonly<Record<Template, (client: pg.Client) => Promise<void>>> = {
  empty: addExtensions,
  platform: migratePlatform,
};

/** The name of the template database, which is made where this is its first use in the run. */
export async function ensureTemplate(template: Template): Promise<string> {
  const name = `template_${template}`;
  const client = new pg.Client({ connectionString: inject('superuserUrl') });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [templateLock]);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await makeTemplate(client, name, fillers[template]);
    return name;
  } finally {
    await client.end();
  }
}

/** Under another name until it is whole, so that a failed attempt is not taken for a template. */
async function makeTemplate(
  superuser: pg.Client,
  name: string,
  fill: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const draft = `${name}_draft`;
  await superuser.query(`drop database if exists ${draft} with (force)`);
  await superuser.query(`create database ${draft} owner rowgate_owner`);
  await query(withDatabase(inject('superuserUrl'), draft), ...closePublicSchema);
  const owner = new pg.Client({ connectionString: withDatabase(inject('ownerUrl'), draft) });
  await owner.connect();
  try {
    await fill(owner);
  } finally {
    await owner.end();
  }
  await superuser.query(`alter database ${draft} rename to ${name}`);
}

async function addExtensions(client: pg.Client): Promise<void> {
  await client.query('create extension citext; create extension ltree; create extension pgcrypto');
}

async function migratePlatform(client: pg.Client): Promise<void> {
  await addExtensions(client);
  // Loaded on demand: most tests need nothing of the compiler.
  const { migrateEverything } = await import('../../server/db/preparation.ts');
  await migrateEverything(client);
}
