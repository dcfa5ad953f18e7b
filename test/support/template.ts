import { createHash } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { withDatabase } from '../../server/db/url.ts';
import { query } from './query.ts';

/** The template from which the database of a test is cloned. */
export type Template = 'empty' | 'gateway' | 'platform' | 'applied';

const templateLock = 7_406_411;

/**
 * Before Postgres 15, every role may create objects in the schema public. An administrator must revoke that before
 * apply.
 */
const closePublicSchema = [
  'revoke create on schema public from public',
  'grant create on schema public to rowgate_owner',
];

const fillers: Readonly<Record<Template, (ownerUrl: string) => Promise<void>>> = {
  empty: addExtensions,
  gateway: migrateRowgate,
  platform: migratePlatform,
  applied: async (ownerUrl) => {
    await migratePlatform(ownerUrl);
    await (await import('./applied.ts')).applyPlatform(ownerUrl);
  },
};

/** Complete templates that this process knows, by cluster and name. */
const made = new Map<string, Promise<string>>();

/** A template for all files that need the same schema and rules. */
export interface OwnTemplate {
  /** From `nameOf`. */
  readonly name: string;
  /** Fills a copy of the template `gateway`. Must close its connections. */
  readonly fill: (ownerUrl: string) => Promise<void>;
}

/** Returns a name that is the same for equal contents, such as a schema and rules, in all processes. */
export function nameOf(content: unknown): string {
  return `same_${createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 12)}`;
}

/** Returns the name of the template database. The first use in a run creates it. */
export function ensureTemplate(template: Template): Promise<string> {
  return once(`template_${template}`, (client, name) => {
    return makeTemplate(client, name, fillers[template]);
  });
}

/** Returns the name of the template database. The first use in a run creates it. */
export async function ensureOwnTemplate({ name, fill }: OwnTemplate): Promise<string> {
  const source = await ensureTemplate('gateway');
  return once(`template_${name}`, async (client, template) => {
    const draft = `${template}_draft`;
    await client.query(`drop database if exists ${draft} with (force)`);
    await client.query(`create database ${draft} template ${source} owner rowgate_owner`);
    await query(withDatabase(inject('superuserUrl'), draft), renewInstallation);
    await fill(withDatabase(inject('ownerUrl'), draft));
    await client.query(`alter database ${draft} rename to ${template}`);
  });
}

/** Makes a copy of an installation a different one, so that it does not treat the roles of other copies as its own. */
export const renewInstallation = 'update rowgate.installation set id = default';

type Make = (client: pg.Client, name: string) => Promise<void>;

function once(name: string, make: Make): Promise<string> {
  const key = `${inject('superuserUrl')} ${name}`;
  const known = made.get(key) ?? findOrMake(name, make);
  made.set(key, known);
  known.catch(() => made.delete(key));
  return known;
}

async function findOrMake(name: string, make: Make): Promise<string> {
  const client = new pg.Client({ connectionString: inject('superuserUrl') });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [templateLock]);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await make(client, name);
    return name;
  } finally {
    await client.end();
  }
}

/** The draft has another name until it is complete, so that no test uses an incomplete template after a failure. */
async function makeTemplate(
  superuser: pg.Client,
  name: string,
  fill: (ownerUrl: string) => Promise<void>,
): Promise<void> {
  const draft = `${name}_draft`;
  const draftUrl = withDatabase(inject('superuserUrl'), draft);
  await superuser.query(`drop database if exists ${draft} with (force)`);
  await superuser.query(`create database ${draft} owner rowgate_owner`);
  await query(draftUrl, ...closePublicSchema);
  await fill(withDatabase(inject('ownerUrl'), draft));
  // Autovacuum does not reach the copies. Without this, Postgres would plan queries on their catalogs without
  // statistics.
  await query(draftUrl, 'vacuum (freeze, analyze)');
  // Makes Postgres write the cache file for catalog descriptions. Otherwise the first session of each copy would write
  // it.
  await query(draftUrl, 'select from pg_catalog.pg_class');
  await superuser.query(`alter database ${draft} rename to ${name}`);
}

async function addExtensions(ownerUrl: string): Promise<void> {
  await query(
    ownerUrl,
    'create extension citext; create extension ltree; create extension pgcrypto',
  );
}

async function migrateRowgate(ownerUrl: string): Promise<void> {
  await addExtensions(ownerUrl);
  const { migrateGateway } = await import('../../permissions/index.ts');
  const { withConnection } = await import('../../server/db/connection.ts');
  await withConnection(ownerUrl, migrateGateway);
}

async function migratePlatform(ownerUrl: string): Promise<void> {
  await addExtensions(ownerUrl);
  // Loaded on demand, because most tests do not need the compiler.
  const { migratePlatform: migrate } = await import('./platform.ts');
  const { withConnection } = await import('../../server/db/connection.ts');
  await withConnection(ownerUrl, migrate);
}
