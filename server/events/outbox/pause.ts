import type pg from 'pg';
import { inTransaction } from '../../db/with-transaction.ts';
import { releaseJobs } from '../../queue/queue-tables.ts';
import { firedChannel, relayedChannel } from '../channels.ts';
import { orderedQueue, plainQueue } from '../event-queues.ts';

/** An event trigger whose events are not delivered. */
export interface PausedTrigger {
  readonly trigger: string;
  readonly pausedAt: Date;
  /** The person or program that paused it. */
  readonly actor: string | null;
}

/**
 * Pauses a trigger: after the commit, no worker begins a delivery of its events. Running deliveries end. Returns false
 * when the trigger was paused before.
 */
export async function pauseTrigger(
  client: pg.ClientBase,
  trigger: string,
  actor: string | undefined,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `insert into rowgate_events.paused_trigger (trigger, actor) values ($1, $2) on conflict do nothing`,
    [trigger, actor ?? null],
  );
  return rowCount === 1;
}

/** Resumes a trigger, and makes the events that were held back due. Returns false when the trigger was not paused. */
export function resumeTrigger(client: pg.ClientBase, trigger: string): Promise<boolean> {
  return inTransaction(client, async () => {
    // Waits for transactions that hold events back now, because they keep the row locked.
    const { rowCount } = await client.query(
      'delete from rowgate_events.paused_trigger where trigger = $1',
      [trigger],
    );
    if (rowCount === 0) return false;
    await client.query(
      `update rowgate_events.event set relayed_at = null
       where trigger = $1 and relayed_at = 'infinity' and delivered_at is null and dead_at is null`,
      [trigger],
    );
    for (const queue of [plainQueue, orderedQueue]) await releaseJobs(client, queue, trigger);
    await client.query(
      `select pg_catalog.pg_notify(c, '') from pg_catalog.unnest($1::text[]) as c`,
      [[firedChannel, relayedChannel]],
    );
    return true;
  });
}

/** Lists the paused triggers by name. */
export async function readPaused(client: pg.ClientBase): Promise<readonly PausedTrigger[]> {
  const { rows } = await client.query<PausedTrigger>(
    `select trigger, paused_at as "pausedAt", actor from rowgate_events.paused_trigger order by trigger`,
  );
  return rows;
}

/**
 * Returns the paused triggers. No session can resume them before the transaction ends, so that `resumeTrigger` finds
 * the events that the transaction holds back.
 */
export async function lockPaused(client: pg.ClientBase): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ readonly trigger: string }>(
    'select trigger from rowgate_events.paused_trigger for share',
  );
  return new Set(rows.map(({ trigger }) => trigger));
}
