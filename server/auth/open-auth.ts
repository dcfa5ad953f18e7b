import type { RequestHandler } from 'express';
import pg from 'pg';
import type pino from 'pino';
import type { Model } from '../../permissions/index.ts';
import { Closers } from '../closers.ts';
import type { Config } from '../config.ts';
import type { Authenticator } from '../context.ts';
import type { Endpoint } from '../rest/endpoint.ts';
import { makeRateLimits } from './limits/rate-limits.ts';
import { sdkTokenAuthenticator } from './sdk/sdk-authenticator.ts';
import { makeSdkEndpoints } from './sdk/sdk-endpoints.ts';

export interface AuthOptions {
  /** `baseUrl` is where this process can be reached. */
  readonly config: Config;
  /** Of the sidecar's login. */
  readonly databaseUrl: string;
  readonly secretKey: string;
  /** The rules that are served at this moment. */
  readonly model: () => Model;
  readonly logger: pino.Logger;
}

/** How people and programs are known to the endpoints. */
export interface Auth {
  readonly endpoints: readonly Endpoint[];
  /** Reads the session of requests that bring its cookie; goes before everything that asks who. */
  readonly session: RequestHandler;
  /** For the data API. */
  readonly authenticators: readonly Authenticator[];
  close(): Promise<void>;
}

/** Opens connections and keys. Rejects where the database does not answer. */
export async function openAuth(options: AuthOptions): Promise<Auth> {
  const closers = new Closers();
  const pool = openPool(options);
  closers.add(() => pool.end());
  const { config, secretKey, logger } = options;
  const limits = makeRateLimits({ pool, rates: config.identity.rates, secretKey, logger });
  closers.add(async () => limits.close());
  return {
    endpoints: makeSdkEndpoints({ pool, limits, logger }),
    session: (_request, _response, next) => next(),
    // First what knows its tokens by their looks.
    authenticators: [sdkTokenAuthenticator(pool)],
    close: () => closers.close(),
  };
}

function openPool({ config, databaseUrl, logger }: AuthOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: config.poolSize,
    connectionTimeoutMillis: 5000,
    query_timeout: config.limits.statementTimeoutMs,
    fallback_application_name: 'rowgate sidecar',
  });
  pool.on('error', (error) => logger.debug({ reason: error.message }, 'idle connection lost'));
  return pool;
}
