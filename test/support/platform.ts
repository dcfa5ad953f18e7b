import type pg from 'pg';
import { namedApplication } from '../../permissions/index.ts';
import type { ConfiguredApplication } from '../../server/application.ts';
import { loadApplication } from '../../server/applications.ts';
import { parseConfig } from '../../server/config/config.ts';
import type { Environment } from '../../server/config/environment.ts';
import { migrateEverything } from '../../server/db/preparation.ts';
import {
  type PlatformConfig,
  readPlatformSettings,
} from '../../server/platform/config/platform-config.ts';
import { platform } from '../../server/platform/open-platform.ts';

/** Parses the settings of the gateway and of the platform. Throws like `parseConfig`. */
export function parsePlatformConfig(
  environment: Environment,
  folder: string,
): { readonly config: PlatformConfig; readonly warnings: readonly string[] } {
  const reader = { readSettings: readPlatformSettings };
  const { config, settings, warnings } = parseConfig(environment, folder, reader);
  if (!settings) throw new Error('the platform read no settings');
  return { config: { ...config, ...settings }, warnings };
}

/** Returns the application that a metadata folder names, with the settings of the platform. */
export async function applicationOf(
  metadata: string,
  config: PlatformConfig,
): Promise<ConfiguredApplication | undefined> {
  const named = await namedApplication(metadata);
  return named && { application: await loadApplication(named), settings: config };
}

/** Returns the platform with its settings, whatever the metadata folder contains. */
export function platformWith(config: PlatformConfig): ConfiguredApplication {
  return { application: platform, settings: config };
}

/** Creates the tables of the gateway and of the platform, and the demo data. */
export function migratePlatform(owner: pg.Client): Promise<readonly string[]> {
  return migrateEverything(owner, platform);
}
