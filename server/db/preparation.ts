import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import type pino from 'pino';
import { applyMetadata, migrate } from '../../permissions/index.ts';
import type { Config } from '../config/config.ts';
import type { Part } from '../config/serve-options.ts';
import { ProcessError } from '../errors.ts';
import { withConnection } from './connection.ts';
import type { ServerLogin } from './logins/logins.ts';
import { prepareSidecarLogin } from './logins/sidecar-login.ts';
import { prepareQueueSchema, queueSchema } from './queue-schema.ts';

/** Folders of `sql/`, in the order in which they build on each other; `seed` holds demo data. */
export type MigrationScope = 'gateway' | 'platform' | 'seed';

const everything: readonly MigrationScope[] = ['gateway', 'platform', 'seed'];

/** Runs what has not run yet; returns the files that did now, like `platform/0001_people.sql`. Throws MigrationError. */
export async function migrateScopes(
  owner: pg.Client,
  scopes: readonly MigrationScope[],
): Promise<readonly string[]> {
  const ran: string[] = [];
  for (const scope of scopes) {
    const folder = fileURLToPath(new URL(`../../sql/${scope}/`, import.meta.url));
    const names = await migrate(owner, folder, scope);
    ran.push(...names.map((name) => `${scope}/${name}`));
  }
  await prepareQueueSchema(owner);
  return ran;
}

/** Brings the gateway's schemas, the platform's tables and the demo data in. */
export function migrateEverything(owner: pg.Client): Promise<readonly string[]> {
  return migrateScopes(owner, everything);
}

/** Migrates Rowgate's own database and applies the metadata folder to it. Throws MetadataError. */
export function prepareEmbedded(
  ownerUrl: string,
  logins: { readonly gateway: ServerLogin; readonly sidecar: ServerLogin },
  options: { readonly config: Config; readonly metadata: string; readonly logger: pino.Logger },
): Promise<void> {
  const { config, metadata, logger } = options;
  return withConnection(ownerUrl, async (client) => {
    const migrations = await migrateEverything(client);
    if (migrations.length > 0) logger.info({ migrations }, 'migrated the database');
    const { rolePrefix, headerPrefix, inferFunctionPermissions } = config;
    const naming = { metadata, rolePrefix, headerPrefix, inferFunctionPermissions };
    const { name, password } = logins.gateway;
    await prepareSidecarLogin(client, logins.sidecar);
    await applyMetadata(client, { ...naming, login: name, password });
  });
}

/** The schema that came last of those which the sidecar needs. */
const newest = 'rowgate_jobs';
/** The table that came last of those which the sidecar needs, in a schema that is older. */
const newestTable = { schema: 'rowgate_webhooks', name: 'linked' };

/** Throws RG_NOT_PREPARED where a command of the owner has to come first. Any login may ask. */
export async function refuseUnprepared(client: pg.Client, parts: ReadonlySet<Part>): Promise<void> {
  const { rows } = await client.query<
    Readonly<Record<'gateway' | 'worker' | 'platform' | 'current', boolean>>
  >(
    `select pg_catalog.to_regnamespace('rowgate_api') is not null as gateway,
            pg_catalog.to_regnamespace('${queueSchema}') is not null and exists (
              select from pg_catalog.pg_class c
              join pg_catalog.pg_namespace n on n.oid = c.relnamespace
              where n.nspname = 'rowgate_events' and c.relname = 'action_request') as worker,
            pg_catalog.to_regnamespace('${newest}') is not null as platform,
            exists (
              select from pg_catalog.pg_class c
              join pg_catalog.pg_namespace n on n.oid = c.relnamespace
              where n.nspname = $1 and c.relname = $2) as current`,
    [newestTable.schema, newestTable.name],
  );
  const [found] = rows;
  if (!found?.gateway) {
    throw notPrepared('nothing was applied to this database yet', 'run `rowgate apply` first');
  }
  // A worker beside tables of others needs none of the platform's.
  if (!found.current && (parts.has('rest') || (parts.has('worker') && found.platform))) {
    throw notPrepared(
      "the platform's tables are missing, or older than this program",
      'run `rowgate migrate` first, or serve your own tables alone with `--only graphql`',
    );
  }
  if (parts.has('worker') && !found.worker) {
    throw notPrepared(
      'the tables of the worker are missing, or older than this program',
      'run `rowgate migrate` first; with `--events-only` beside tables of your own',
    );
  }
}

/** Whether sessions, keys, tokens and files have their tables. Any login may ask. */
export async function hasSidecar(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ readonly found: boolean }>(
    `select pg_catalog.to_regnamespace('${newest}') is not null as found`,
  );
  return rows[0]?.found === true;
}

/** The fingerprint of the metadata that was applied last; undefined before the first. */
export async function appliedFingerprint(client: pg.Pool): Promise<string | undefined> {
  const { rows } = await client.query<{ readonly fingerprint: string | null }>(
    'select rowgate_api.applied_fingerprint() as fingerprint',
  );
  return rows[0]?.fingerprint ?? undefined;
}

/** Identifies the last apply: another text after each one, also where nothing was left to do. For the gateway's login. */
export async function appliedVersion(client: pg.Pool): Promise<string> {
  const { rows } = await client.query<{ readonly version: string }>(
    `select pg_catalog.jsonb_build_array(i -> 'fingerprint', i -> 'applied_at')::text as version
     from rowgate_api.installation() i`,
  );
  return rows[0]?.version ?? '';
}

function notPrepared(message: string, hint: string): ProcessError {
  return new ProcessError('RG_NOT_PREPARED', message, { hint });
}
