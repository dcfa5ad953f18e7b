import type pg from 'pg';
import pino from 'pino';
import type { Config } from '../../server/config/config.ts';
import { resolveLogin } from '../../server/db/logins/logins.ts';
import { openSidecarPool } from '../../server/db/logins/sidecar-pool.ts';
import type { TestDatabase } from './database.ts';

/** Opens connections as the login of a test server's sidecar. The caller ends the pool. */
export async function openTestPool(config: Config, database: TestDatabase): Promise<pg.Pool> {
  const { url } = await resolveLogin(config, database.ownerUrl, 'sidecar');
  return openSidecarPool(url, { config, logger: pino({ level: 'silent' }) });
}
