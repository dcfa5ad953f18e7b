import pino from 'pino';
import type { Config } from './config.ts';

/**
 * Writes JSON lines to standard output. Headers that carry secrets are blanked, wherever a log line
 * holds `headers`.
 */
export function makeLogger(
  config: Pick<Config, 'logLevel' | 'headerPrefix'>,
  destination: pino.DestinationStream = pino.destination({ fd: 1, sync: true }),
): pino.Logger {
  const secrets = [
    'authorization',
    'cookie',
    'set-cookie',
    'proxy-authorization',
    `${config.headerPrefix.toLowerCase()}admin-secret`,
  ];
  const paths = secrets.flatMap((name) => [`headers["${name}"]`, `*.headers["${name}"]`]);
  return pino(
    {
      level: config.logLevel,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths, censor: '[secret]' },
    },
    destination,
  );
}
