import pg from 'pg';
import type pino from 'pino';
import type { Config } from '../../config/config.ts';

const connectTimeoutMs = 5000;

/** Opens connections of the sidecar login. The calling code must end the pool. */
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
  // The pool handles error events of idle connections only. When a connection breaks in use, its query fails, and an
  // additional error event without a listener would end the process.
  pool.on('connect', (client) => client.on('error', ignore));
  pool.on('error', (error) => logger.debug({ reason: error.message }, 'idle connection lost'));
  return pool;
}

function ignore(): void {}
