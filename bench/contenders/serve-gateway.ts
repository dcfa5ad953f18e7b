import express from 'express';
import pg from 'pg';
import pino from 'pino';
import { loadModel } from '../../permissions/index.ts';
import { adminSecretAuthenticator } from '../../server/caller/authenticate.ts';
import { parseConfig } from '../../server/config/config.ts';
import type { OpenOtherDialect } from '../../server/graphql/other-dialect.ts';
import { makeGraphqlService } from '../../server/graphql/service.ts';
import { contenderSettings, listen } from './listen.ts';

/**
 * Serves the data API.
 * @param openOther opens an additional dialect
 */
export async function serveGateway(openOther?: OpenOtherDialect): Promise<void> {
  const { gatewayUrl, secret, poolSize, metadata } = contenderSettings();
  const pool = new pg.Pool({ connectionString: gatewayUrl, max: 1 });
  const service = await makeGraphqlService({
    schemes: [],
    config: { ...parseConfig({}, '/').config, poolSize, explorer: false },
    ...{ gatewayUrl, openOther },
    authenticators: [adminSecretAuthenticator(secret)],
    loadModel: () => loadModel({ metadata, client: pool, headerPrefix: 'X-Gql-' }),
    logger: pino({ level: 'warn' }),
  });
  await listen(express().disable('x-powered-by').use(service.router));
}
