import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type pino from 'pino';
import { loggedReason } from '../log/log-error.ts';
import { untilClosed } from '../until-closed.ts';

/** The number of days for which partitions are created in advance. */
const daysAhead = 14;
const dayMs = 24 * 3_600_000;
const retryMs = 10 * 60_000;

export interface UpkeepOptions {
  readonly pool: pg.Pool;
  readonly retentionDays: number;
  readonly logger: pino.Logger;
}

/**
 * Creates the partitions of coming days and drops expired partitions. Returns the number of created and of dropped
 * partitions.
 */
export async function maintainPartitions({
  pool,
  retentionDays,
}: Pick<UpkeepOptions, 'pool' | 'retentionDays'>): Promise<{ made: number; dropped: number }> {
  const made = await pool.query<{ readonly days: number }>(
    'select rowgate_events.prepare_days($1) as days',
    [daysAhead],
  );
  const dropped = await pool.query<{ readonly days: number }>(
    'select rowgate_events.clean($1) as days',
    [retentionDays],
  );
  return { made: made.rows[0]?.days ?? 0, dropped: dropped.rows[0]?.days ?? 0 };
}

/** Maintains the partitions immediately and then every day until it is closed. */
export function maintainPartitionsDaily(options: UpkeepOptions): { close(): Promise<void> } {
  return untilClosed((stop) => run(options, stop));
}

async function run(options: UpkeepOptions, stop: AbortSignal): Promise<void> {
  const { logger } = options;
  while (!stop.aborted) {
    let wait = dayMs;
    try {
      const { made, dropped } = await maintainPartitions(options);
      if (made + dropped > 0)
        logger.debug({ made, dropped }, 'created and dropped partitions of events');
    } catch (error) {
      logger.warn({ reason: loggedReason(error) }, 'cannot create or drop partitions of events');
      wait = retryMs;
    }
    await delay(wait, undefined, { signal: stop, ref: false }).catch(() => {});
  }
}
