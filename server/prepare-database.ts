import type pino from 'pino';
import type { Config } from './config.ts';
import { withConnection } from './db/connection.ts';
import { refuseUnusableLogin, type ServerLogin } from './db/logins.ts';
import type { DatabaseAccess } from './db/open-database.ts';
import { hasSidecar, prepareEmbedded, refuseUnprepared } from './db/preparation.ts';
import { resolveSecretKey } from './secrets.ts';
import type { ServeSettings } from './serve-options.ts';

/** What serving needs of the database. */
export interface PreparedDatabase {
  readonly login: ServerLogin;
  /** For sessions, keys and tokens; absent where the database knows none and nobody asked for them. */
  readonly identity: { readonly databaseUrl: string; readonly secretKey: string } | undefined;
}

export interface PrepareOptions {
  readonly config: Config;
  readonly settings: ServeSettings;
  readonly logger: pino.Logger;
}

/** Migrates and applies where the database is Rowgate's own; else makes sure that somebody has. Throws ProcessError. */
export async function prepareDatabase(
  database: DatabaseAccess,
  options: PrepareOptions,
): Promise<PreparedDatabase> {
  const login = await database.login('gateway');
  if (database.embedded) return prepareOwn(database, login, options);
  const { parts } = options.settings;
  // A login that Rowgate makes is there only after the first apply; the owner can tell that.
  const askable = login.password === undefined ? login.url : database.ownerUrl();
  const isPlatform = await withConnection(askable, async (client) => {
    await refuseUnprepared(client, parts.has('rest'));
    return hasSidecar(client);
  });
  await refuseUnusableLogin(login, 'apply');
  return { login, identity: isPlatform ? await givenIdentity(database, options) : undefined };
}

async function prepareOwn(
  database: DatabaseAccess,
  login: ServerLogin,
  { config, settings, logger }: PrepareOptions,
): Promise<PreparedDatabase> {
  const sidecar = await database.login('sidecar');
  const { metadata } = settings;
  const logins = { gateway: login, sidecar };
  await prepareEmbedded(database.ownerUrl(), logins, { config, metadata, logger });
  const { value } = await resolveSecretKey(config);
  return { login, identity: { databaseUrl: sidecar.url, secretKey: value } };
}

async function givenIdentity(
  database: DatabaseAccess,
  { config, settings, logger }: PrepareOptions,
): Promise<PreparedDatabase['identity']> {
  if (!settings.parts.has('rest') && config.identity.secretKey === undefined) {
    logger.warn('sessions and tokens do not count here: ROWGATE_SECRET_KEY is not set');
    return undefined;
  }
  const { value } = await resolveSecretKey(config);
  const sidecar = await database.login('sidecar');
  await refuseUnusableLogin(sidecar, 'migrate');
  return { databaseUrl: sidecar.url, secretKey: value };
}
