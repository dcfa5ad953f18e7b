import pino from 'pino';
import type { Config } from './config.ts';
import { describeError } from './log-error.ts';

/**
 * Writes JSON lines to standard output. Headers that carry secrets are blanked, wherever a log line
 * holds `headers`; under `err` no error of Postgres quotes a row.
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
    'x-api-key',
    `${config.headerPrefix.toLowerCase()}admin-secret`,
  ];
  const paths = secrets.flatMap((name) => [`headers["${name}"]`, `*.headers["${name}"]`]);
  return pino(
    {
      level: config.logLevel,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
      redact: { paths, censor: '[secret]' },
    },
    destination,
  );
}
