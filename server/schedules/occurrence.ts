import { type CronExpression, CronExpressionParser } from 'cron-parser';

/** The times at which a schedule is due. */
export interface Timing {
  /** A cron expression with five fields. */
  readonly cron: string;
  /** A name of the IANA time zone database. */
  readonly timezone: string;
}

/** Returns the first time after `after` at which a schedule is due. */
export function nextOccurrence(timing: Timing, after: Date): Date {
  return expressionFrom(timing, after).next().toDate();
}

/** How far back to search: about 16 years in minutes. The rarest date, 29 February, recurs within eight years. */
const maxMinutes = 2 ** 23;
/**
 * Time before a due time at which a second search begins. It covers the hour that occurs twice when the clocks go back,
 * and the hour before.
 */
const aroundRepeatedHourMs = 2 * 3_600_000;

/**
 * Returns the last time until `at` at which a schedule was due; undefined without such a time for years. A local time
 * that occurs twice on a day counts only once, at its first occurrence. The function searches forwards from earlier and
 * earlier times, because the library's backward search fails near clock changes or returns the second occurrence.
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
  // Begins a millisecond earlier, because the library finds only times after the given one, not the given time itself.
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
