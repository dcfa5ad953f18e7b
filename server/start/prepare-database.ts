import type pino from 'pino';
import type { ConfiguredApplication } from '../application.ts';
import type { Config } from '../config/config.ts';
import type { ServeSettings } from '../config/serve-options.ts';
import { withConnection } from '../db/connection.ts';
import { refuseUnusableLogin, type ServerLogin } from '../db/logins/logins.ts';
import type { DatabaseAccess } from '../db/open-database.ts';
import {
  prepareEmbedded,
  refuseUnapplied,
  refuseWithoutApplication,
  refuseWithoutWorkerTables,
} from '../db/preparation.ts';
import { withLogin } from '../db/url.ts';

/** The logins of a prepared database. */
export interface PreparedDatabase {
  readonly login: ServerLogin;
  /** Absent when this process serves only GraphQL. */
  readonly services: ServiceLogin | undefined;
}

/** The login of the services and of the application. */
export interface ServiceLogin {
  readonly url: string;
  /** A URL for LISTEN that bypasses a pooler. */
  readonly directUrl: string;
}

export interface PrepareOptions {
  readonly config: Config;
  readonly settings: ServeSettings;
  readonly application: ConfiguredApplication | undefined;
  readonly logger: pino.Logger;
}

/**
 * Migrates an embedded database and applies the metadata to it. For any other database, checks that the commands
 * `migrate` and `apply` have done so. @throws ProcessError
 */
export async function prepareDatabase(
  database: DatabaseAccess,
  options: PrepareOptions,
): Promise<PreparedDatabase> {
  const login = await database.login('gateway');
  if (database.embedded) return prepareOwn(database, login, options);
  // A login that Rowgate itself creates may not exist before the first apply, so in that case the checks use the
  // owner's connection.
  const checkUrl = login.password === undefined ? login.url : database.ownerUrl();
  await refuseUnprepared(checkUrl, options);
  await refuseUnusableLogin(login, 'apply');
  return { login, services: await givenServices(database, checkUrl, options) };
}

async function prepareOwn(
  database: DatabaseAccess,
  login: ServerLogin,
  { config, settings, application, logger }: PrepareOptions,
): Promise<PreparedDatabase> {
  const sidecar = await database.login('sidecar');
  const { metadata } = settings;
  const logins = { gateway: login, sidecar };
  const owner = database.ownerUrl();
  await prepareEmbedded(owner, logins, {
    ...{ config, metadata, logger },
    application: application?.application,
  });
  const { url } = sidecar;
  return { login, services: { url, directUrl: url } };
}

function refuseUnprepared(
  url: string,
  { settings: { parts }, application }: PrepareOptions,
): Promise<void> {
  return withConnection(url, async (client) => {
    await refuseUnapplied(client);
    if (application && (parts.has('rest') || parts.has('worker'))) {
      await refuseWithoutApplication(client, application.application);
    }
    if (parts.has('worker')) await refuseWithoutWorkerTables(client);
  });
}

async function givenServices(
  database: DatabaseAccess,
  checkUrl: string,
  options: PrepareOptions,
): Promise<ServiceLogin | undefined> {
  const { config } = options;
  const isNeeded = await needsServices(checkUrl, options);
  if (!isNeeded) return undefined;
  const sidecar = await database.login('sidecar');
  await refuseUnusableLogin(sidecar, 'migrate');
  const direct = config.database.kind === 'given' ? config.database.directUrl : undefined;
  const directUrl = direct === undefined ? sidecar.url : asLogin(direct, sidecar.url);
  return { url: sidecar.url, directUrl };
}

async function needsServices(
  checkUrl: string,
  { config, settings: { parts }, application: configured, logger }: PrepareOptions,
): Promise<boolean> {
  if (!configured) return parts.has('worker');
  const { application, settings } = configured;
  if (!(await application.isNeeded({ config, settings, parts, logger })))
    return parts.has('worker');
  await withConnection(checkUrl, (client) => refuseWithoutApplication(client, application));
  return true;
}

/** Returns a URL with the user and password of another URL. */
function asLogin(url: string, login: string): string {
  const { username, password } = new URL(login);
  return withLogin(url, decodeURIComponent(username), decodeURIComponent(password));
}
