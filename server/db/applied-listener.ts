import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type pino from 'pino';
import { errorMessage } from '../errors.ts';
import { connect } from './connection.ts';

/** Channel on which apply tells that the metadata in the database has changed; carries no data. */
export const appliedChannel = 'rowgate_applied';

export interface AppliedListener {
  close(): Promise<void>;
}

export interface AppliedListenerOptions {
  readonly url: () => Promise<string>;
  /** Called after each notice, and after a connection was lost: a notice may have been missed. Must not throw. */
  readonly onApplied: () => Promise<void>;
  /** Whether something was applied before the listening began; asked once it has. Must not throw. */
  readonly hasMissed: () => Promise<boolean>;
  readonly logger: pino.Logger;
  /** First wait before reconnecting, in milliseconds, doubled up to thirty-fold; default 1000. */
  readonly backOffMs?: number;
}

/** Listens until it is closed, reconnecting for as long as that takes. */
export function listenForApplied(options: AppliedListenerOptions): AppliedListener {
  const stop = new AbortController();
  const finished = keepListening(options, stop.signal);
  return {
    close: () => {
      stop.abort();
      return finished;
    },
  };
}

async function keepListening(options: AppliedListenerOptions, stop: AbortSignal): Promise<void> {
  const { backOffMs = 1000, logger, onApplied, hasMissed } = options;
  let wait = backOffMs;
  for (let round = 0; !stop.aborted; round += 1) {
    try {
      const client = await connect(await options.url());
      const lost = lossOf(client, stop);
      try {
        client.on('notification', () => void onApplied());
        await client.query(`listen ${appliedChannel}`);
        wait = backOffMs;
        if (round > 0 || (await hasMissed())) await onApplied();
        await lost;
      } finally {
        await client.end();
      }
    } catch (error) {
      logger.warn({ reason: errorMessage(error) }, 'cannot listen for applied metadata');
    }
    await delay(wait, undefined, { signal: stop }).catch(() => {});
    wait = Math.min(wait * 2, backOffMs * 30);
  }
}

/** Resolves when the connection ends or is to end. */
function lossOf(client: pg.Client, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    client.once('end', resolve);
    if (stop.aborted) resolve();
    else stop.addEventListener('abort', () => resolve(), { once: true });
  });
}
