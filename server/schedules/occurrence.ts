import type { PgBoss } from 'pg-boss';

/** What says when something is due. */
export interface Timing {
  /** Five fields. */
  readonly cron: string;
  /** Of the IANA database. */
  readonly timezone: string;
}

/** 29 February is at most eight years away. */
const longestMinutes = 2 ** 23;

/** When something is due for the first time after a moment; undefined where it never is. */
export function nextOccurrence(
  boss: Pick<PgBoss, 'previewSchedule'>,
  { cron, timezone }: Timing,
  after: Date,
): Date | undefined {
  return boss.previewSchedule(cron, { tz: timezone, from: after, count: 1 })[0];
}

/** Longer than any hour that a day has twice, and that hour before it. */
const pastTwiceMs = 2 * 3_600_000;

/**
 * When something was due for the last time, at a moment or before it; undefined where it was not for years. Looks twice as
 * far back each time: so it goes through no more times than there are minutes since the last one. A time that a day has
 * twice is the first of both, at both.
 */
export function lastOccurrence(
  boss: Pick<PgBoss, 'previewSchedule'>,
  timing: Timing,
  at: Date,
): Date | undefined {
  for (let minutes = 1; minutes <= longestMinutes; minutes *= 2) {
    const last = lastSince(boss, timing, at, at.getTime() - minutes * 60_000);
    // Whoever begins between the two knows of the second alone.
    if (last) return lastSince(boss, timing, at, last.getTime() - pastTwiceMs);
  }
  return undefined;
}

function lastSince(
  boss: Pick<PgBoss, 'previewSchedule'>,
  timing: Timing,
  at: Date,
  since: number,
): Date | undefined {
  let last: Date | undefined;
  // A millisecond more, since it looks strictly after what is given.
  let next = nextOccurrence(boss, timing, new Date(since - 1));
  while (next && next <= at) {
    last = next;
    next = nextOccurrence(boss, timing, next);
  }
  return last;
}
