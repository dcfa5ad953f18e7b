import path from 'node:path';
import type { Config } from '../config/config.ts';
import { ProcessError } from '../errors.ts';
import { prepareDataDir } from './embedded/home.ts';
import { readOrMakeSecret } from './logins/secret-file.ts';

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
  return resolveSecret(config, 'ROWGATE_ADMIN_SECRET', config.adminSecret, 'admin-secret');
}

/** What x-platform-api-token must be, found and refused as the admin secret is; the first is sent. */
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

/** A secret: the configured one, or one of a file that is generated beside the embedded database. Throws RG_CONFIG. */
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
