import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import type { Config } from '../../server/config/config.ts';
import { resolveLogin } from '../../server/db/logins/logins.ts';
import { parsePlatformConfig } from './platform.ts';
import { applyFolder, platformMetadata, prepareSidecar } from './rules.ts';
import { asSuperuser } from './superuser.ts';

/** Prefix of the Postgres roles in the template `applied`. All copies of it share these roles. */
export const sharedRolePrefix = 'shared_';

/** Returns the data folder with the passwords of the shared logins. */
export function sharedLogins(): string {
  return path.join(inject('scratch'), 'shared-logins');
}

/** Applies the rules of the platform for the shared roles. */
export async function applyPlatform(ownerUrl: string): Promise<void> {
  await mkdir(sharedLogins(), { recursive: true, mode: 0o700 });
  const { config } = parsePlatformConfig(
    {
      DATABASE_URL: ownerUrl,
      ROWGATE_DATA_DIR: sharedLogins(),
      ROWGATE_ROLE_PREFIX: sharedRolePrefix,
    },
    sharedLogins(),
  );
  await applyFolder(config, ownerUrl, platformMetadata);
  await prepareSidecar(config, ownerUrl);
  await hashLoginsFast(config, ownerUrl);
}

/** Stores the passwords of the logins again, as cluster.ts has Postgres hash them: thousands of connections use them. */
async function hashLoginsFast(config: Config, ownerUrl: string): Promise<void> {
  for (const kind of ['gateway', 'sidecar'] as const) {
    const { name, password } = await resolveLogin(config, ownerUrl, kind);
    const login = pg.escapeIdentifier(name);
    await asSuperuser(`alter role ${login} password ${pg.escapeLiteral(password ?? '')}`);
  }
}
