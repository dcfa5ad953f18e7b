import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { inject } from 'vitest';
import { parsePlatformConfig } from './platform.ts';
import { applyFolder, platformMetadata, prepareSidecar } from './rules.ts';

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
}
