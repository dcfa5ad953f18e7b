import { cp } from 'node:fs/promises';
import path from 'node:path';
import pino from 'pino';
import { exitCodeOf, failureText } from '../../../../server/cli/failure.ts';
import { parseServeOptions } from '../../../../server/config/serve-options.ts';
import { type RunningServer, startServer } from '../../../../server/start/start-server.ts';
import { sharedLogins, sharedRolePrefix } from '../../../support/applied.ts';
import { makeDataFolder } from '../../../support/data-folder.ts';
import type { TestDatabase } from '../../../support/database.ts';
import { applicationOf, parsePlatformConfig } from '../../../support/platform.ts';

const root = path.resolve(import.meta.dirname, '../../../..');

export const adminSecret = 'a'.repeat(40);

/**
 * Secrets that the server requires when it serves a database of the platform that it did not create
 * itself.
 */
export const secrets = {
  ROWGATE_ADMIN_SECRET: adminSecret,
  ROWGATE_SECRET_KEY: 's'.repeat(40),
  ROWGATE_PLATFORM_ADMIN_SECRET: 'p'.repeat(40),
};

/**
 * Returns the environment for serving a copy of the template database `applied`, to which the rules
 * were applied.
 */
export async function appliedEnvironment(database: TestDatabase): Promise<Record<string, string>> {
  const dataDir = await makeDataFolder();
  await cp(sharedLogins(), dataDir, { recursive: true });
  return {
    DATABASE_URL: database.ownerUrl,
    ROWGATE_DATA_DIR: dataDir,
    ROWGATE_ROLE_PREFIX: sharedRolePrefix,
    ...secrets,
  };
}

/** Runs `rowgate serve` in this process, by default on a free port. @param options options of the command line */
export async function start(
  environment: Readonly<Record<string, string>>,
  options: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  const { config } = parsePlatformConfig({ PORT: '0', ...environment }, root);
  const folder = path.resolve(root, options.metadata ?? 'metadata');
  const application = await applicationOf(folder, config);
  const settings = parseServeOptions(options, [], application !== undefined);
  return startServer(config, settings, pino({ level: 'silent' }), application);
}

/** Returns the exit code and the message of a failing start. */
export async function refusalOf(...given: Parameters<typeof start>): Promise<unknown> {
  const error = await start(...given).then(
    () => new Error('it serves'),
    (reason: unknown) => reason,
  );
  return [exitCodeOf(error), failureText(error, false)];
}

/** Posts an operation as the admin. */
export function ask(url: string, query: string, secret = adminSecret): Promise<Response> {
  return fetch(`${url}/v1/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Gql-Admin-Secret': secret },
    body: JSON.stringify({ query }),
  });
}
