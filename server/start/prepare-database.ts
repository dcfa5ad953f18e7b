import type pino from 'pino';
import type { Config } from '../config/config.ts';
import type { ServeSettings } from '../config/serve-options.ts';
import { withConnection } from '../db/connection.ts';
import { refuseUnusableLogin, type ServerLogin } from '../db/logins/logins.ts';
import type { DatabaseAccess } from '../db/open-database.ts';
import { hasSidecar, prepareEmbedded, refuseUnprepared } from '../db/preparation.ts';
import { withLogin } from '../db/url.ts';
import { resolveSecretKey } from './secrets.ts';

/** What serving needs of the database. */
export interface PreparedDatabase {
  readonly login: ServerLogin;
  /** Absent where nothing that is served needs it. */
  readonly sidecar: Sidecar | undefined;
}

/** For all that is not the data API. */
export interface Sidecar {
  readonly url: string;
  /** For LISTEN, past a pooler. */
  readonly directUrl: string;
  /** Whether the platform's tables are there, not only what delivers events. */
  readonly isPlatform: boolean;
  /** Absent where sessions and tokens do not count. */
  readonly secretKey: string | undefined;
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
    await refuseUnprepared(client, parts);
    return hasSidecar(client);
  });
  await refuseUnusableLogin(login, 'apply');
  return { login, sidecar: await givenSidecar(database, isPlatform, options) };
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
  const { value: secretKey } = await resolveSecretKey(config);
  const { url } = sidecar;
  return { login, sidecar: { url, directUrl: url, isPlatform: true, secretKey } };
}

async function givenSidecar(
  database: DatabaseAccess,
  isPlatform: boolean,
  options: PrepareOptions,
): Promise<Sidecar | undefined> {
  const { config, settings } = options;
  const secretKey = isPlatform ? await givenSecretKey(options) : undefined;
  if (secretKey === undefined && !settings.parts.has('worker')) return undefined;
  const sidecar = await database.login('sidecar');
  await refuseUnusableLogin(sidecar, 'migrate');
  const direct = config.database.kind === 'given' ? config.database.directUrl : undefined;
  const directUrl = direct === undefined ? sidecar.url : asLogin(direct, sidecar.url);
  return { url: sidecar.url, directUrl, isPlatform, secretKey };
}

async function givenSecretKey({
  config,
  settings,
  logger,
}: PrepareOptions): Promise<string | undefined> {
  const { parts } = settings;
  if (!parts.has('rest') && config.identity.secretKey === undefined) {
    if (parts.has('graphql')) {
      logger.warn('sessions and tokens do not count here: ROWGATE_SECRET_KEY is not set');
    }
    return undefined;
  }
  return (await resolveSecretKey(config)).value;
}

/** The way of one URL, with user and password of another. */
function asLogin(url: string, login: string): string {
  const { username, password } = new URL(login);
  return withLogin(url, decodeURIComponent(username), decodeURIComponent(password));
}
