import type pg from 'pg';
import pino from 'pino';
import type { Config } from '../../server/config/config.ts';
import { resolveLogin } from '../../server/db/logins/logins.ts';
import { openSidecarPool } from '../../server/db/logins/sidecar-pool.ts';
import type { TestDatabase } from './database.ts';

/** Connections of the login that a test server's sidecar uses; who asks for them ends them. */
export async function openTestPool(config: Config, database: TestDatabase): Promise<pg.Pool> {
  const { url } = await resolveLogin(config, database.ownerUrl, 'sidecar');
  return openSidecarPool(url, { config, logger: pino({ level: 'silent' }) });
}
