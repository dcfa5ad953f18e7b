import path from 'node:path';
import type { Config } from '../config/config.ts';
import { prepareDataDir } from '../db/embedded/home.ts';
import { readOrMakeSecret } from '../db/logins/secret-file.ts';
import { ProcessError } from '../errors.ts';

/** A secret of the server. */
export interface Secret {
  readonly value: string;
  /** Where it was generated to; absent where it is configured. */
  readonly file: string | undefined;
}

/**
 * The secret that lets a request say who it is: the configured one or, beside the embedded database, one that is
 * generated into the data folder. Throws RG_CONFIG (exit 2) where a given database is served without one.
 */
export function resolveAdminSecret(config: Config): Promise<Secret> {
  return resolve(config, 'ROWGATE_ADMIN_SECRET', config.adminSecret, 'admin-secret');
}

/** The key of cookies and signing keys, found and refused as the admin secret is. */
export function resolveSecretKey(config: Config): Promise<Secret> {
  return resolve(config, 'ROWGATE_SECRET_KEY', config.identity.secretKey, 'secret-key');
}

/** What x-platform-api-token must be, found and refused as the admin secret is; the first is sent. */
export async function resolvePlatformSecrets(config: Config): Promise<readonly string[]> {
  const [first, ...others] = config.webhooks.platformSecrets;
  const { value } = await resolve(
    config,
    'ROWGATE_PLATFORM_ADMIN_SECRET',
    first,
    'platform-admin-secret',
  );
  return [value, ...others];
}

async function resolve(
  config: Config,
  variable: string,
  configured: string | undefined,
  file: string,
): Promise<Secret> {
  if (configured !== undefined) return { value: configured, file: undefined };
  if (config.database.kind === 'given') {
    throw new ProcessError('RG_CONFIG', `${variable} is not set`, {
      hint: 'set it to at least 32 random characters, e.g. of: openssl rand -hex 32',
      exitCode: 2,
    });
  }
  const home = path.join(await prepareDataDir(config.dataDir), file);
  return { value: await readOrMakeSecret(home), file: home };
}
