import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type pino from 'pino';
import { loggedReason } from '../log/log-error.ts';

/** Days that have their partitions before they begin. */
const daysAhead = 14;
const dayMs = 24 * 3_600_000;
const retryMs = 10 * 60_000;

export interface UpkeepOptions {
  readonly pool: pg.Pool;
  readonly retentionDays: number;
  readonly logger: pino.Logger;
}

/** Makes the partitions of the days to come and drops those that are over; returns how many. */
export async function keepDays({
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

/** Does so now and every day until it is closed. */
export function keepDaysDaily(options: UpkeepOptions): { close(): Promise<void> } {
  const stop = new AbortController();
  const finished = run(options, stop.signal);
  return {
    close: () => {
      stop.abort();
      return finished;
    },
  };
}

async function run(options: UpkeepOptions, stop: AbortSignal): Promise<void> {
  const { logger } = options;
  while (!stop.aborted) {
    let wait = dayMs;
    try {
      const { made, dropped } = await keepDays(options);
      if (made + dropped > 0) logger.debug({ made, dropped }, 'kept the days of events');
    } catch (error) {
      logger.warn({ reason: loggedReason(error) }, 'cannot make or drop the days of events');
      wait = retryMs;
    }
    await delay(wait, undefined, { signal: stop, ref: false }).catch(() => {});
  }
}
