import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type pino from 'pino';
import { backOffMs } from '../../back-off.ts';
import { errorCode, ProcessError } from '../../errors.ts';
import { loggedReason } from '../../log/log-error.ts';
import { untilClosed } from '../../until-closed.ts';
import { connect, withConnection } from '../connection.ts';

export interface NoticeListener {
  /** Ends the connection; nothing is called afterwards. */
  close(): Promise<void>;
}

export interface NoticeListenerOptions {
  /** Channels as unquoted identifiers. */
  readonly channels: readonly string[];
  /** Returns the URL. It must bypass a pooler, because a pooler in transaction mode does not pass notices on. */
  readonly url: () => Promise<string>;
  /** Called for each notice. Must not throw. */
  readonly onNotice: (channel: string, payload: string) => void;
  /** Called at the start and after each reconnection, because notices may have been missed before. Must not throw. */
  readonly onListening: () => Promise<void>;
  /** The subject of the notices, for log messages. */
  readonly subject: string;
  readonly logger: pino.Logger;
  /**
   * First wait before reconnecting, in milliseconds, doubled at each failure up to thirty times this value; default
   * 1000.
   */
  readonly firstWaitMs?: number;
  /**
   * Maximum milliseconds until the listener must receive its own test notice; default 5000. Without the notice, it
   * reconnects.
   */
  readonly hearingMs?: number;
}

/** Listens until it is closed, and reconnects after each loss. */
export function listenForNotices(options: NoticeListenerOptions): NoticeListener {
  return untilClosed((stop) => keepListening(options, stop));
}

async function keepListening(options: NoticeListenerOptions, stop: AbortSignal): Promise<void> {
  const { firstWaitMs: firstMs = 1000, hearingMs = 5000 } = options;
  const { channels, logger, onListening, onNotice, subject } = options;
  let failures = 0;
  while (!stop.aborted) {
    try {
      const url = await options.url();
      const client = await connect(url);
      const lost = lossOf(client, stop);
      try {
        client.on('notification', ({ channel, payload = '' }) => {
          if (channels.includes(channel)) onNotice(channel, payload);
        });
        await verifyNoticesArrive(
          client,
          url,
          AbortSignal.any([stop, AbortSignal.timeout(hearingMs)]),
        );
        for (const channel of channels) await client.query(`listen ${channel}`);
        failures = 0;
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
    failures += 1;
    const waitMs = backOffMs(failures, { firstMs, maxMs: 30 * firstMs });
    await delay(waitMs, undefined, { signal: stop }).catch(() => {});
  }
}

/**
 * Detects a connection that receives no notices although LISTEN succeeded, as behind a pooler in transaction mode. A
 * second connection sends the test notice, because the pooler would pass on a notice from the same server connection.
 */
async function verifyNoticesArrive(
  client: pg.Client,
  url: string,
  until: AbortSignal,
): Promise<void> {
  until.throwIfAborted();
  const channel = `rowgate_${randomUUID().replaceAll('-', '')}`;
  const received = new Promise<void>((resolve, reject) => {
    client.on('notification', (notice) => notice.channel === channel && resolve());
    client.once('end', () => reject(new Error('the connection was lost')));
    until.addEventListener('abort', () => reject(noticesDoNotArrive()), { once: true });
  });
  const sendTestNotice = async () => {
    await client.query(`listen ${channel}`);
    await withConnection(url, (other) => other.query(`notify ${channel}`));
  };
  await Promise.all([received, sendTestNotice()]);
}

function noticesDoNotArrive(): ProcessError {
  return new ProcessError(
    'RG_CONFIG',
    'notices do not arrive, as behind a pooler in transaction mode: set DATABASE_DIRECT_URL to Postgres itself',
  );
}

/** Resolves when the connection is lost, or when `stop` requests the end of listening. */
function lossOf(client: pg.Client, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    client.once('end', resolve);
    if (stop.aborted) resolve();
    else stop.addEventListener('abort', () => resolve(), { once: true });
  });
}
