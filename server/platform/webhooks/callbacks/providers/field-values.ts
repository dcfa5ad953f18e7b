import { withoutTrailingZeros } from '../../../../trailing-zeros.ts';

const decimal = /^(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i;
const time =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?: ?(?:Z|[+-](?:0\d|1[0-4]):?[0-5]\d))?$/i;

/**
 * Maximum characters of an amount that is sent as text; the same as for numbers in JSON. Postgres refuses numbers with
 * more than 16383 decimals.
 */
const maxCharacters = 128;

/** The maximum size and precision of an amount. */
export interface AmountSize {
  /** The maximum number of digits before the point. */
  readonly whole: number;
  /** The maximum number of digits after the point, without trailing zeros. */
  readonly places: number;
}

/**
 * Checks an amount, which is decimal text in the syntax of JSON numbers. Returns the problem; undefined when the amount
 * is valid or absent.
 */
export function amountProblem(name: string, value: unknown, size: AmountSize): string | undefined {
  if (value === undefined) return undefined;
  const parts = typeof value === 'string' ? decimal.exec(value) : null;
  if (!parts) return `${name} must be a decimal number that is not negative`;
  if (parts[0].length > maxCharacters) return `${name} has more than ${maxCharacters} characters`;
  const [, whole = '', fraction = '', exponent = '0'] = parts;
  const digits = `${whole}${fraction}`;
  const point = whole.length + Number(exponent);
  const last = withoutTrailingZeros(digits).length;
  const first = digits.search(/[1-9]/);
  if (first === -1) return undefined;
  if (point - first > size.whole) return `${name} has more than ${size.whole} digits`;
  if (last - point > size.places) return `${name} has more than ${size.places} decimals`;
  return undefined;
}

/**
 * Checks a time in ISO 8601, or with a space between day and time. Returns the problem; undefined when it is valid or
 * absent.
 */
export function timeProblem(name: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const parts = typeof value === 'string' ? time.exec(value) : null;
  if (parts && isValidDateTime(parts.slice(1, 7).map(Number))) return undefined;
  return `${name} must be a time like 2026-05-01T12:00:00Z`;
}

function isValidDateTime([year = 0, month = 0, day = 0, ...clock]: readonly number[]): boolean {
  const [hour = 0, minute = 0, second = 0] = clock;
  const date = new Date(Date.UTC(year, month - 1, day));
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return year >= 1970 && year < 2200 && isDay && hour < 24 && minute < 60 && second < 60;
}

/** Returns the first problem, if any. */
export function firstOf(problems: readonly (string | undefined)[]): string | undefined {
  return problems.find((problem) => problem !== undefined);
}

/** Returns a member of a value that should be an object; undefined when the value is not an object. */
export function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
