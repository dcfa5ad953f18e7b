import { createServer } from 'node:http';
import express from 'express';
import pg from 'pg';
import pino from 'pino';
import { loadModel } from '../../permissions/index.ts';
import { adminSecretAuthenticator } from '../../server/caller/authenticate.ts';
import { parseConfig } from '../../server/config/config.ts';
import type { OpenOtherDialect } from '../../server/graphql/other-dialect.ts';
import { makeGraphqlService } from '../../server/graphql/service.ts';
import { makeApp } from '../../server/http/app.ts';
import { makeListener } from '../../server/http/direct.ts';
import { contenderSettings, listening } from './listen.ts';

/**
 * Serves the data API.
 * @param openOther opens an additional dialect
 */
export async function serveGateway(openOther?: OpenOtherDialect): Promise<void> {
  const { gatewayUrl, secret, poolSize, metadata, logFile } = contenderSettings();
  const pool = new pg.Pool({ connectionString: gatewayUrl, max: 1 });
  const config = { ...parseConfig({}, '/').config, poolSize };
  const logger = pino({ level: 'warn' }, pino.destination({ dest: logFile, sync: false }));
  const service = await makeGraphqlService({
    schemes: [],
    ...{ config, gatewayUrl, openOther, logger },
    authenticators: [adminSecretAuthenticator(secret)],
    changes: { listen: () => () => {}, wake: () => {}, close: async () => {} },
    loadModel: () => loadModel({ metadata, client: pool, headerPrefix: 'X-Gql-' }),
  });
  const app = makeApp({
    ...{ config, logger, service: [], routes: express.Router() },
    phase: () => 'serving',
  });
  await listening(createServer(makeListener({ app, direct: () => service, config, logger })));
}
