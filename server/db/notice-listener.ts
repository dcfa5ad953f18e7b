import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type pino from 'pino';
import { errorMessage } from '../errors.ts';
import { connect } from './connection.ts';

export interface NoticeListener {
  /** Ends the connection; nothing is called afterwards. */
  close(): Promise<void>;
}

export interface NoticeListenerOptions {
  /** Plain names, as LISTEN takes them. */
  readonly channels: readonly string[];
  /** Past a pooler: one that lends connections by transaction passes no notices on. */
  readonly url: () => Promise<string>;
  /** Called for each notice. Must not throw. */
  readonly onNotice: (channel: string, payload: string) => void;
  /** Called whenever it has begun to listen; what was said before was missed. Must not throw. */
  readonly onListening: (isFirst: boolean) => Promise<void>;
  /** What is listened for, in words. */
  readonly subject: string;
  readonly logger: pino.Logger;
  /** First wait before reconnecting, in milliseconds, doubled up to thirty-fold; default 1000. */
  readonly backOffMs?: number;
}

/** Listens until it is closed, reconnecting for as long as that takes. */
export function listenForNotices(options: NoticeListenerOptions): NoticeListener {
  const stop = new AbortController();
  const finished = keepListening(options, stop.signal);
  return {
    close: () => {
      stop.abort();
      return finished;
    },
  };
}

async function keepListening(options: NoticeListenerOptions, stop: AbortSignal): Promise<void> {
  const { backOffMs = 1000, channels, logger, onListening, onNotice, subject } = options;
  let wait = backOffMs;
  for (let isFirst = true; !stop.aborted; isFirst = false) {
    try {
      const client = await connect(await options.url());
      const lost = lossOf(client, stop);
      try {
        client.on('notification', ({ channel, payload = '' }) => onNotice(channel, payload));
        for (const channel of channels) await client.query(`listen ${channel}`);
        wait = backOffMs;
        await onListening(isFirst);
        await lost;
      } finally {
        await client.end();
      }
    } catch (error) {
      logger.warn({ reason: errorMessage(error) }, `cannot listen for ${subject}`);
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
