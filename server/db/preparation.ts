import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import type pino from 'pino';
import { applyMetadata, migrate } from '../../permissions/index.ts';
import type { Config } from '../config/config.ts';
import { ProcessError } from '../errors.ts';
import { withConnection } from './connection.ts';
import type { ServerLogin } from './logins/logins.ts';
import { type Grants, prepareSidecarLogin } from './logins/sidecar-login.ts';
import { prepareQueueSchema, queueSchema } from './queue-schema.ts';

/** The folder of `sql/` with the migrations that every database needs. An application has further folders. */
export const gatewayScope = 'gateway';

/** A table that an application reads. When the table is missing, migrations of the application have not run yet. */
export interface RequiredTable {
  readonly schema: string;
  readonly name: string;
}

/** The parts of an application that concern the database. */
export interface DatabaseNeeds {
  readonly name: string;
  /** Folders of `sql/`, in the order in which they build on each other. */
  readonly migrations: readonly string[];
  /** Schemas that these migrations create. `rowgate check` trusts the trigger functions in them. */
  readonly schemas: readonly string[];
  /** Folders of `sql/` with demo data, which the embedded database also gets. */
  readonly demoData: readonly string[];
  /** Privileges of the sidecar login, by schema. */
  readonly grants: Grants;
  /** The newest tables of the application. Their absence shows that migrations are pending. */
  readonly requiredTables: readonly RequiredTable[];
}

/** Runs pending migrations. Returns their files, such as `gateway/0001_gateway.sql`. Throws MigrationError. */
export async function migrateScopes(
  owner: pg.Client,
  scopes: readonly string[],
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

/** Runs the migrations of the gateway, and the migrations of an application with its demo data. */
export function migrateEverything(
  owner: pg.Client,
  application?: DatabaseNeeds,
): Promise<readonly string[]> {
  const { migrations = [], demoData = [] } = application ?? {};
  return migrateScopes(owner, [gatewayScope, ...migrations, ...demoData]);
}

export interface EmbeddedOptions {
  readonly config: Config;
  readonly metadata: string;
  readonly application: DatabaseNeeds | undefined;
  readonly logger: pino.Logger;
}

/** Migrates the embedded database and applies the metadata folder to it. Throws MetadataError. */
export function prepareEmbedded(
  ownerUrl: string,
  logins: { readonly gateway: ServerLogin; readonly sidecar: ServerLogin },
  { config, metadata, application, logger }: EmbeddedOptions,
): Promise<void> {
  return withConnection(ownerUrl, async (client) => {
    const migrations = await migrateEverything(client, application);
    if (migrations.length > 0) logger.info({ migrations }, 'migrated the database');
    const { rolePrefix, headerPrefix, inferFunctionPermissions } = config;
    const naming = { metadata, rolePrefix, headerPrefix, inferFunctionPermissions };
    const { name, password } = logins.gateway;
    await prepareSidecarLogin(client, logins.sidecar, application?.grants);
    await applyMetadata(client, { ...naming, login: name, password });
  });
}

/** Throws RG_NOT_PREPARED when no metadata was applied, or not for this login. Works with any login. */
export async function refuseUnapplied(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ readonly login: string; readonly usable: boolean }>(
    `select current_user as login, pg_catalog.has_schema_privilege(n.oid, 'USAGE') as usable
     from pg_catalog.pg_namespace n where n.nspname = 'rowgate_api'`,
  );
  const [found] = rows;
  if (found?.usable) return;
  if (!found)
    throw notPrepared('no metadata has been applied to this database', 'run `rowgate apply` first');
  throw notPrepared(
    `the metadata was not applied for the login "${found.login}"`,
    'run `rowgate apply` with this login in ROWGATE_GATEWAY_DATABASE_URL, or connect as the login that it was applied for',
  );
}

/** Throws RG_NOT_PREPARED when the tables of a worker are missing. Works with any login. */
export async function refuseWithoutWorkerTables(client: pg.Client): Promise<void> {
  const schema = 'rowgate_events';
  const newest = ['action_request', 'schedule_run', 'paused_trigger'].map((name) => ({
    schema,
    name,
  }));
  const { rows } = await client.query<{ readonly queue: boolean }>(
    'select pg_catalog.to_regnamespace($1) is not null as queue',
    [queueSchema],
  );
  if (rows[0]?.queue && (await hasTables(client, newest))) return;
  throw notPrepared(
    'the tables of the worker are missing, or older than this program',
    'run `rowgate migrate` first, with `--events-only` beside tables of your own; or serve GraphQL alone with `--only graphql`',
  );
}

/** Throws RG_NOT_PREPARED when tables of the application are missing. Works with any login. */
export async function refuseWithoutApplication(
  client: pg.Client,
  { name, requiredTables }: Pick<DatabaseNeeds, 'name' | 'requiredTables'>,
): Promise<void> {
  if (await hasTables(client, requiredTables)) return;
  throw notPrepared(
    `the ${name}'s tables are missing, or older than this program`,
    'run `rowgate migrate` first, or serve your own tables alone with `--only graphql`',
  );
}

/** Returns true if all of the tables exist. Works with any login. */
export async function hasTables(
  client: pg.Client,
  tables: readonly RequiredTable[],
): Promise<boolean> {
  const { rows } = await client.query<{ readonly found: number }>(
    `select count(*)::int as found from pg_catalog.pg_class c
     join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     where n.nspname || '.' || c.relname = any ($1)`,
    [tables.map(({ schema, name }) => `${schema}.${name}`)],
  );
  return rows[0]?.found === tables.length;
}

/** Returns the fingerprint of the last applied metadata; undefined before the first apply. */
export async function appliedFingerprint(client: pg.Pool): Promise<string | undefined> {
  const { rows } = await client.query<{ readonly fingerprint: string | null }>(
    'select rowgate_api.applied_fingerprint() as fingerprint',
  );
  return rows[0]?.fingerprint ?? undefined;
}

/**
 * Returns a text that identifies the last apply. Each apply changes the text, even if it changes no rule. Needs the
 * gateway login.
 */
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
