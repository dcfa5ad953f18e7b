import { monitorEventLoopDelay } from 'node:perf_hooks';
import express from 'express';
import pg from 'pg';
import pino from 'pino';
import { loadModel } from '../../permissions/index.ts';
import { parseConfig } from '../../server/config.ts';
import { adminSecretAuthenticator } from '../../server/context.ts';
import { makeGraphqlService } from '../../server/graphql/service.ts';
import { contenderSettings, listen } from './listen.ts';

const { gatewayUrl, secret, poolSize, metadata } = contenderSettings();
const pool = new pg.Pool({ connectionString: gatewayUrl, max: 1 });
const service = await makeGraphqlService({
  config: { ...parseConfig({}, '/').config, poolSize, explorer: false },
  gatewayUrl,
  authenticators: [adminSecretAuthenticator(secret)],
  loadModel: () => loadModel({ metadata, client: pool, headerPrefix: 'X-Gql-' }),
  logger: pino({ level: 'warn' }),
});

// Any message is answered with the peaks since the message before.
const delays = monitorEventLoopDelay({ resolution: 5 });
delays.enable();
process.on('message', () => {
  process.send?.({
    eventLoopMs: delays.max / 1e6,
    residentMiB: process.memoryUsage.rss() / 2 ** 20,
  });
  delays.reset();
});
await listen(express().disable('x-powered-by').use(service.router));
