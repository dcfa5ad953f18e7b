import pino from 'pino';
import { parseConfig } from '../../server/config/config.ts';
import { startServer } from '../../server/start/start-server.ts';
import { identitySettings } from './identity-settings.ts';

const { environment, metadata } = identitySettings();
const { config } = parseConfig(environment, '/');
const server = await startServer(
  config,
  { metadata, parts: new Set(['graphql', 'rest']) },
  pino({ level: 'warn' }),
);
process.send?.({ port: Number(new URL(server.url).port) });
