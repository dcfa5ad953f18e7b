import pino from 'pino';
import { describeError } from './log-error.ts';
import { secretMasker } from './log-secrets.ts';
import { maskText } from './mask-text.ts';

export interface LogOptions {
  /** A log level by its name in pino, e.g. `info`. */
  readonly logLevel: string;
  /** The prefix of the headers for the admin secret and session variables, whose values are masked. */
  readonly headerPrefix: string;
}

/**
 * Makes the logger, which writes JSON lines. Secrets are masked at every level: headers and fields
 * by their names, and parts of texts that look like a secret. No logged Postgres error quotes a row.
 */
export function makeLogger(config: LogOptions, destination: pino.DestinationStream): pino.Logger {
  return pino(
    {
      level: config.logLevel,
      base: { pid: process.pid },
      timestamp: isoTime(),
      formatters: {
        level: (label) => ({ level: label }),
        log: secretMasker(config.headerPrefix),
      },
      serializers: { err: describeError },
      hooks: { streamWrite: maskText },
    },
    destination,
  );
}

/** Makes pino's function for times. It formats each second only once. */
function isoTime(): () => string {
  let second = Number.NaN;
  let start = '';
  return () => {
    const now = Date.now();
    const milliseconds = now % 1000;
    if (now - milliseconds !== second) {
      second = now - milliseconds;
      start = `,"time":"${new Date(second).toISOString().slice(0, -'000Z'.length)}`;
    }
    return `${start}${String(milliseconds).padStart(3, '0')}Z"`;
  };
}
