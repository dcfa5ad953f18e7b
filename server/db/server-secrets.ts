import path from 'node:path';
import type { Config } from '../config/config.ts';
import { ProcessError } from '../errors.ts';
import { prepareDataDir } from './embedded/home.ts';
import { readOrMakeSecret } from './logins/secret-file.ts';

/** A secret of the server. */
export interface Secret {
  readonly value: string;
  /** The file with the generated secret; absent when the secret is configured. */
  readonly file: string | undefined;
}

/**
 * Returns the admin secret, with which a request chooses its role. With a configured database, the secret must be
 * configured. With the embedded database, a missing secret is generated into the data folder.
 * @throws ProcessError RG_CONFIG (exit 2) when another database is served without that setting
 */
export function resolveAdminSecret(config: Config): Promise<Secret> {
  return resolveSecret(config, 'ROWGATE_ADMIN_SECRET', config.adminSecret, 'admin-secret');
}

/** Returns the accepted values of x-platform-api-token. The server sends the first value. Throws RG_CONFIG. */
export async function resolvePlatformSecrets(config: Config): Promise<readonly string[]> {
  const [first, ...others] = config.events.platformSecrets;
  const { value } = await resolveSecret(
    config,
    'ROWGATE_PLATFORM_ADMIN_SECRET',
    first,
    'platform-admin-secret',
  );
  return [value, ...others];
}

/** Returns a configured secret, or with the embedded database a secret from a generated file. Throws RG_CONFIG. */
export async function resolveSecret(
  config: Pick<Config, 'database' | 'dataDir'>,
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
