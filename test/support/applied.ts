import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { inject } from 'vitest';
import { parsePlatformConfig } from './platform.ts';
import { applyFolder, platformMetadata, prepareSidecar } from './rules.ts';

/** What the Postgres roles of the template `applied` are named by; all copies of it share them. */
export const sharedRolePrefix = 'shared_';

/** The data folder that keeps the passwords of the shared logins. */
export function sharedLogins(): string {
  return path.join(inject('scratch'), 'shared-logins');
}

/** Puts the platform's rules in force, for the shared roles. */
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
