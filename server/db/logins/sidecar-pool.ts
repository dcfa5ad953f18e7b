import pg from 'pg';
import type pino from 'pino';
import type { Config } from '../../config/config.ts';

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
  // The pool listens to idle connections only. One that breaks while it is lent fails its next query; as an event that
  // nobody listens to it would end the process.
  pool.on('connect', (client) => client.on('error', ignore));
  pool.on('error', (error) => logger.debug({ reason: error.message }, 'idle connection lost'));
  return pool;
}

function ignore(): void {}
