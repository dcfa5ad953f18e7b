import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { PgBoss } from 'pg-boss';
import type pino from 'pino';
import { withTransaction } from '../../../db/with-transaction.ts';
import { loggedReason } from '../../../log/log-error.ts';
import { sendCallbackJobs } from '../../../queue/callback-queue.ts';
import { within } from '../../../queue/open-queue.ts';

/** Between two looks; the table that is looked into is nearly always empty. */
const pollMs = 2000;

export interface WakeOptions {
  /** Of the sidecar's login. */
  readonly pool: pg.Pool;
  readonly boss: PgBoss;
  readonly logger: pino.Logger;
}

/**
 * Sends unmatched callbacks to the workers once their wallet, card, transfer or person is linked, whatever linked it:
 * triggers of these tables note it. Runs until it is closed.
 */
export function wakeLinked(options: WakeOptions): { close(): Promise<void> } {
  const stop = new AbortController();
  const finished = run(options, stop.signal);
  return {
    close: () => {
      stop.abort();
      return finished;
    },
  };
}

async function run(options: WakeOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await wakeOnce(options);
    } catch (error) {
      const reason = loggedReason(error);
      options.logger.warn({ reason }, 'cannot look for callbacks whose wallet was linked');
    }
    await delay(pollMs, undefined, { signal, ref: false }).catch(() => {});
  }
}

/** The jobs are there if the links are not, and the other way round. */
async function wakeOnce({ pool, boss }: WakeOptions): Promise<void> {
  await withTransaction(pool, async (client) => {
    const { rows } = await client.query<{ readonly id: string; readonly linked: string }>(
      'select t.id, t.awaits as linked from rowgate_webhooks.take_linked() t',
    );
    await sendCallbackJobs(boss, rows, within(client));
  });
}
