import pino from 'pino';
import { startServer } from '../../server/start/start-server.ts';
import { parsePlatformConfig, platformWith } from '../../test/support/platform.ts';
import { identitySettings } from './identity-settings.ts';

const { environment, metadata } = identitySettings();
const { config } = parsePlatformConfig(environment, '/');
const server = await startServer(
  config,
  { metadata, parts: new Set(['graphql', 'rest']) },
  pino({ level: 'warn' }),
  platformWith(config),
);
process.send?.({ port: Number(new URL(server.url).port) });
