import type { PgBoss, ScheduleOptions } from 'pg-boss';
import type { Schedule } from '../../permissions/index.ts';

/** The queue of due schedules. */
export const schedulesQueue = 'schedules';

/**
 * After this time without a heartbeat, another process takes over a job. By then the history has already marked the run
 * of the dead process as failed, so the new run is not refused.
 */
const heartbeatSeconds = 45;
const maxJobSeconds = 4 * 60 * 60;

/** The data of the queue's job for one due time of a schedule. */
export interface DueSchedule {
  readonly schedule: string;
}

/** Adds, updates and removes the queue's schedules so that they match the metadata. */
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

/** Returns after which time without an end or a heartbeat another process takes over a job. */
export function jobLimits({ retry, run }: Schedule) {
  return {
    expireInSeconds: run.kind === 'job' ? maxJobSeconds : retry.timeout + 60,
    heartbeatSeconds,
  };
}

function optionsOf(schedule: Schedule): ScheduleOptions {
  const { name, timezone, retry } = schedule;
  return {
    ...jobLimits(schedule),
    key: name,
    tz: timezone,
    // After an outage, one run replaces all missed due times. That is sufficient, because a job does all work that is
    // due.
    missed: 'once',
    retryLimit: retry.limit,
    retryDelay: retry.interval,
    retryBackoff: true,
    retryDelayMax: retry.maxInterval,
  };
}
