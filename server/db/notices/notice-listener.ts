import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type pino from 'pino';
import { errorCode, ProcessError } from '../../errors.ts';
import { loggedReason } from '../../log/log-error.ts';
import { connect, withConnection } from '../connection.ts';

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
  readonly onListening: () => Promise<void>;
  /** What is listened for, in words. */
  readonly subject: string;
  readonly logger: pino.Logger;
  /** First wait before reconnecting, in milliseconds, doubled up to thirty-fold; default 1000. */
  readonly backOffMs?: number;
  /** For the first notice, which it sends itself, in milliseconds; default 5000. */
  readonly hearingMs?: number;
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
  const { backOffMs = 1000, hearingMs = 5000 } = options;
  const { channels, logger, onListening, onNotice, subject } = options;
  let wait = backOffMs;
  while (!stop.aborted) {
    try {
      const url = await options.url();
      const client = await connect(url);
      const lost = lossOf(client, stop);
      try {
        client.on('notification', ({ channel, payload = '' }) => {
          if (channels.includes(channel)) onNotice(channel, payload);
        });
        await refuseDeafness(client, url, AbortSignal.any([stop, AbortSignal.timeout(hearingMs)]));
        for (const channel of channels) await client.query(`listen ${channel}`);
        wait = backOffMs;
        await onListening();
        await lost;
      } finally {
        await client.end();
      }
    } catch (error) {
      const level = errorCode(error) === 'RG_CONFIG' ? 'error' : 'warn';
      if (!stop.aborted) {
        logger[level]({ reason: loggedReason(error) }, `cannot listen for ${subject}`);
      }
    }
    await delay(wait, undefined, { signal: stop }).catch(() => {});
    wait = Math.min(wait * 2, backOffMs * 30);
  }
}

/**
 * Tells a connection that hears nothing, though Postgres took its LISTEN: a pooler keeps that for another one. What a
 * pooler lends it while it asks would be heard; so somebody else sends the notice.
 */
async function refuseDeafness(client: pg.Client, url: string, until: AbortSignal): Promise<void> {
  until.throwIfAborted();
  const channel = `rowgate_${randomUUID().replaceAll('-', '')}`;
  const heard = new Promise<void>((resolve, reject) => {
    client.on('notification', (notice) => notice.channel === channel && resolve());
    client.once('end', () => reject(new Error('the connection was lost')));
    until.addEventListener('abort', () => reject(deaf()), { once: true });
  });
  const say = async () => {
    await client.query(`listen ${channel}`);
    await withConnection(url, (other) => other.query(`notify ${channel}`));
  };
  await Promise.all([heard, say()]);
}

function deaf(): ProcessError {
  return new ProcessError(
    'RG_CONFIG',
    'notices do not arrive, as through a pooler that lends connections by transaction: set DATABASE_DIRECT_URL to Postgres itself',
  );
}

/** Resolves when the connection ends or is to end. */
function lossOf(client: pg.Client, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    client.once('end', resolve);
    if (stop.aborted) resolve();
    else stop.addEventListener('abort', () => resolve(), { once: true });
  });
}
