import path from 'node:path';
import type { Config } from './config.ts';
import { prepareDataDir } from './db/embedded/home.ts';
import { readOrMakeSecret } from './db/secret-file.ts';
import { ProcessError } from './errors.ts';

/** The secret that lets a request say who it is. */
export interface AdminSecret {
  readonly value: string;
  /** Where it was generated to; absent where it is configured. */
  readonly file: string | undefined;
}

/**
 * The configured secret or, beside the embedded database, one that is generated into the data folder.
 * Throws RG_CONFIG (exit 2) where a given database is served without one.
 */
export async function resolveAdminSecret(config: Config): Promise<AdminSecret> {
  if (config.adminSecret !== undefined) return { value: config.adminSecret, file: undefined };
  if (config.database.kind === 'given') {
    throw new ProcessError('RG_CONFIG', 'ROWGATE_ADMIN_SECRET is not set', {
      hint: 'set it to at least 32 random characters, e.g. of: openssl rand -hex 32',
      exitCode: 2,
    });
  }
  const file = path.join(await prepareDataDir(config.dataDir), 'admin-secret');
  return { value: await readOrMakeSecret(file), file };
}
