import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { PgBoss } from 'pg-boss';
import type pino from 'pino';
import { withTransaction } from '../../../../db/with-transaction.ts';
import { loggedReason } from '../../../../log/log-error.ts';
import { within } from '../../../../queue/open-queue.ts';
import { untilClosed } from '../../../../until-closed.ts';
import { sendCallbackJobs } from '../callback-queue.ts';

export interface WakeOptions {
  /** Connections of the sidecar login, with which the server accesses everything except the data API. */
  readonly pool: pg.Pool;
  readonly boss: PgBoss;
  /** Milliseconds between two polls; default 2000. The polled table is nearly always empty. */
  readonly pollMs?: number | undefined;
  readonly logger: pino.Logger;
}

/**
 * Queues unmatched callbacks again once their wallet, card, transfer or person is linked. Triggers on these tables
 * record each link. Runs until it is closed.
 */
export function wakeLinked(options: WakeOptions): { close(): Promise<void> } {
  return untilClosed((stop) => run(options, stop));
}

async function run(options: WakeOptions, signal: AbortSignal): Promise<void> {
  const { pollMs = 2000 } = options;
  while (!signal.aborted) {
    try {
      await wakeOnce(options);
    } catch (error) {
      const reason = loggedReason(error);
      options.logger.warn(
        { reason },
        'cannot look for callbacks whose wallet, card, transfer or person was linked',
      );
    }
    await delay(pollMs, undefined, { signal, ref: false }).catch(() => {});
  }
}

/** Removes the recorded links and queues their jobs in one transaction. */
async function wakeOnce({ pool, boss }: WakeOptions): Promise<void> {
  await withTransaction(pool, async (client) => {
    const { rows } = await client.query<{ readonly id: string; readonly linked: string }>(
      'select t.id, t.awaits as linked from rowgate_webhooks.take_linked() t',
    );
    await sendCallbackJobs(boss, rows, within(client));
  });
}
