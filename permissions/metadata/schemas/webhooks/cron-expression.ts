import { CronExpressionParser } from 'cron-parser';

interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
}

const fields: readonly Field[] = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of the month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12 },
  { name: 'day of the week', min: 0, max: 7 },
];

// The library also accepts ?, L, # and H, and a step after a single number. Rowgate refuses them, because other cron
// readers disagree on their meaning.
const value = String.raw`(?:\d{1,2}|[a-z]{3})`;
const item = String.raw`(?:${value}|(?:\*|${value}-${value})(?:/\d{1,4})?)`;
const list = new RegExp(`^${item}(?:,${item})*$`, 'i');

/**
 * Returns why a cron expression is refused, as the end of a sentence; undefined for a valid one. A valid expression has
 * five fields: lists of `*`, numbers, names of months and days, ranges and steps. Everything else, such as seconds,
 * `@daily` and letters of other dialects, is refused.
 */
export function cronProblem(text: string): string | undefined {
  const parts = text.trim().split(/\s+/);
  if (parts.length !== fields.length) return `must have five fields and has ${parts.length}`;
  for (const [index, field] of fields.entries()) {
    const part = parts[index] ?? '';
    if (isField(part, index, field)) continue;
    const limits = `which goes from ${field.min} to ${field.max}, each value once`;
    return `has ${JSON.stringify(part)} for the ${field.name}, ${limits}`;
  }
  return isCron(parts) ? undefined : 'names a day that no month has';
}

/** Returns whether one field of a cron expression is valid, by parsing an expression whose other fields are `*`. */
function isField(part: string, index: number, { max }: Field): boolean {
  const steps = [...part.matchAll(/\/(\d+)/g)].map(([, step]) => Number(step));
  if (!list.test(part) || steps.some((step) => step > max)) return false;
  return isCron(fields.map((_field, place) => (place === index ? part : '*')));
}

function isCron(parts: readonly string[]): boolean {
  try {
    CronExpressionParser.parse(parts.join(' '));
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns whether a text names a time zone of the IANA database. Offsets such as +01:00 are refused, because they
 * ignore daylight saving time.
 */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}
