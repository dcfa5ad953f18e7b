import type { PgBoss, ScheduleOptions } from 'pg-boss';
import type { Schedule } from '../../permissions/index.ts';

/** Where what is due waits to be run. */
export const schedulesQueue = 'schedules';

/** A job without a sign of life for so long is given to another process. Ours gives its run up earlier. */
const heartbeatSeconds = 45;
const longestJobSeconds = 4 * 60 * 60;

/** What is in the queue for each time that a schedule is due. */
export interface DueSchedule {
  readonly schedule: string;
}

/** Makes the queue's own list that of the metadata: what is new is added, what is gone taken away. */
export async function syncSchedules(
  boss: PgBoss,
  schedules: ReadonlyMap<string, Schedule>,
): Promise<void> {
  for (const schedule of schedules.values()) {
    const data: DueSchedule = { schedule: schedule.name };
    await boss.schedule(schedulesQueue, schedule.cron, data, optionsOf(schedule));
  }
  for (const { key } of await boss.getSchedules(schedulesQueue)) {
    if (!schedules.has(key)) await boss.unschedule(schedulesQueue, key);
  }
}

function optionsOf({ name, timezone, retry, run }: Schedule): ScheduleOptions {
  return {
    key: name,
    tz: timezone,
    // After an outage one run is enough: each does what is due by then.
    missed: 'once',
    retryLimit: retry.limit,
    retryDelay: retry.interval,
    retryBackoff: true,
    retryDelayMax: retry.maxInterval,
    expireInSeconds: run.kind === 'job' ? longestJobSeconds : retry.timeout + 60,
    heartbeatSeconds,
  };
}
