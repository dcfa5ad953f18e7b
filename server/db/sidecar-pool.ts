import pg from 'pg';
import type pino from 'pino';
import type { Config } from '../config.ts';

const connectTimeoutMs = 5000;

/** Connections of the sidecar's login; who opens them ends them. */
export function openSidecarPool(
  url: string,
  { config, logger }: { readonly config: Config; readonly logger: pino.Logger },
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: config.poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: config.limits.statementTimeoutMs,
    fallback_application_name: 'rowgate sidecar',
  });
  pool.on('error', (error) => logger.debug({ reason: error.message }, 'idle connection lost'));
  return pool;
}
