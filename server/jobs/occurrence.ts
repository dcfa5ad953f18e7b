import type { PgBoss } from 'pg-boss';

/** What says when something is due. */
export interface Timing {
  /** Five fields. */
  readonly cron: string;
  /** Of the IANA database. */
  readonly timezone: string;
}

/** Looks further back each time: what is often due is found at once, and the 29th of February in the end. */
const lookBackMinutes = [1, 60, 24 * 60, 32 * 24 * 60, 366 * 24 * 60, 9 * 366 * 24 * 60];

/** When something is due for the first time after a moment; undefined where it never is. */
export function nextOccurrence(
  boss: Pick<PgBoss, 'previewSchedule'>,
  { cron, timezone }: Timing,
  after: Date,
): Date | undefined {
  return boss.previewSchedule(cron, { tz: timezone, from: after, count: 1 })[0];
}

/** When something was due for the last time, at a moment or before it; undefined where it was not for years. */
export function lastOccurrence(
  boss: Pick<PgBoss, 'previewSchedule'>,
  timing: Timing,
  at: Date,
): Date | undefined {
  for (const minutes of lookBackMinutes) {
    let last: Date | undefined;
    // A millisecond more, since it looks strictly after what is given.
    let next = nextOccurrence(boss, timing, new Date(at.getTime() - minutes * 60_000 - 1));
    while (next && next <= at) {
      last = next;
      next = nextOccurrence(boss, timing, next);
    }
    if (last) return last;
  }
  return undefined;
}
