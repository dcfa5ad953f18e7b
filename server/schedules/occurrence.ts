import { type CronExpression, CronExpressionParser } from 'cron-parser';

/** When a schedule is due. */
export interface Timing {
  /** Five fields. */
  readonly cron: string;
  /** A name of the IANA database. */
  readonly timezone: string;
}

/** The first time after a moment at which a schedule is due. */
export function nextOccurrence(timing: Timing, after: Date): Date {
  return expressionFrom(timing, after).next().toDate();
}

/** 29 February is at most eight years away. */
const maxMinutes = 2 ** 23;
/** Longer than the hour that a day has twice when the clocks go back, and the hour before it. */
const aroundRepeatedHourMs = 2 * 3_600_000;

/**
 * The last time at which a schedule was due, at a moment or before it; undefined when there was none for years. A local
 * time that a day has twice counts only as its first occurrence. Searches forwards from ever earlier times: near a change
 * of the clocks the library's own search backwards fails, or returns the second occurrence.
 */
export function lastOccurrence(timing: Timing, at: Date): Date | undefined {
  for (let minutes = 1; minutes <= maxMinutes; minutes *= 2) {
    const last = lastSince(timing, at, at.getTime() - minutes * 60_000);
    // A search that begins between the two occurrences finds only the second.
    if (last) return lastSince(timing, at, last.getTime() - aroundRepeatedHourMs);
  }
  return undefined;
}

function lastSince(timing: Timing, at: Date, since: number): Date | undefined {
  // A millisecond earlier, because the library searches strictly after the given time.
  const expression = expressionFrom(timing, new Date(since - 1));
  let last: Date | undefined;
  for (let next = expression.next().toDate(); next <= at; next = expression.next().toDate()) {
    last = next;
  }
  return last;
}

function expressionFrom({ cron, timezone }: Timing, currentDate: Date): CronExpression {
  return CronExpressionParser.parse(cron, { tz: timezone, currentDate });
}
