import { withoutTrailingZeros } from '../trailing-zeros.ts';

/**
 * Formats numbers, money and dates for a locale. Numbers are decimal text from Postgres and never become floats. A text that
 * is not a number or date, such as `NaN` or `infinity`, is returned unchanged.
 */
export interface Format {
  /** The locale, e.g. `en-GB`, which is also the language of the documents. */
  readonly locale: string;
  /**
   * Formats an amount with the currency's usual number of decimals, or with more when the amount has more. No digit is
   * lost. An unknown currency code is written after the amount.
   */
  money(amount: string, currency: string): string;
  /** Formats a number, rounded half away from zero to `maxDigits` decimals. Default: all decimals, without trailing zeros. */
  number(value: string, maxDigits?: number): string;
  /** Formats a percentage: `20` is 20 %. */
  percent(value: string): string;
  /** Formats an ISO date, or the day of a time in the time zone. */
  date(iso: string): string;
  /** Formats a time in the time zone and names the zone. Accepts ISO 8601 and Postgres's format; a time without offset is UTC. */
  dateTime(iso: string): string;
  /** Returns the format with another time zone, e.g. `Europe/Zurich`. Absent or unknown: UTC. */
  inZone(timeZone: string | undefined): Format;
}

/** The maximum number of decimals that Intl supports. */
const maxSupportedDigits = 100;
const isDay = /^\d{4}-\d\d-\d\d$/;
const decimal = /^[+-]?\d+(?:\.(\d*))?$/;
const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Makes the format of a locale, with times in UTC. @throws RangeError for an invalid language tag */
export function makeFormat(locale: string): Format {
  const numbers = numberFormat(locale);
  const inKnownZone = remember((timeZone): Format => {
    return { locale, ...numbers, ...dateFormat(locale, timeZone), inZone };
  });
  const inZone = (timeZone = 'UTC') => inKnownZone(isTimeZone(timeZone) ? timeZone : 'UTC');
  return inZone();
}

/** Postgres may know zones that this version of Node.js does not. */
function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
}

function numberFormat(locale: string): Pick<Format, 'money' | 'number' | 'percent'> {
  const numbers = remember((options: string) => {
    return new Intl.NumberFormat(locale, JSON.parse(options) as Intl.NumberFormatOptions);
  });
  const write = (value: string, options: Intl.NumberFormatOptions) =>
    numbers(JSON.stringify(options)).format(value as Intl.StringNumericLiteral);
  const usualDecimals = remember((currency: string) => {
    const usual = numbers(JSON.stringify({ style: 'currency', currency })).resolvedOptions();
    return usual.maximumFractionDigits ?? 0;
  });

  function number(value: string, maxDigits = maxSupportedDigits): string {
    const decimals = decimalsOf(value);
    if (decimals === undefined) return value;
    return write(value, { maximumFractionDigits: Math.min(decimals, maxDigits) });
  }

  function money(amount: string, currency: string): string {
    const code = currency.trim().toUpperCase();
    const decimals = decimalsOf(amount);
    if (decimals === undefined || !currencies.has(code)) return `${number(amount)} ${code}`.trim();
    const maximumFractionDigits = Math.max(usualDecimals(code), decimals);
    return write(amount, { style: 'currency', currency: code, maximumFractionDigits });
  }

  function percent(value: string): string {
    const maximumFractionDigits = decimalsOf(value);
    if (maximumFractionDigits === undefined) return value;
    // The unit `percent` prints the value unchanged. The style `percent` would multiply it by 100.
    return write(value, { style: 'unit', unit: 'percent', maximumFractionDigits });
  }

  return { money, number, percent };
}

function dateFormat(locale: string, timeZone: string): Pick<Format, 'date' | 'dateTime'> {
  const daysOfTimes = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone });
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const times = new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  });
  return {
    date: (iso) =>
      isDay.test(iso)
        ? formatTime(days, iso, Date.parse(iso))
        : formatTime(daysOfTimes, iso, parseTime(iso)),
    dateTime: (iso) => formatTime(times, iso, parseTime(iso)),
  };
}

/** Counts the decimals of a number without trailing zeros; undefined when the text is not a number. */
function decimalsOf(value: string): number | undefined {
  const match = decimal.exec(value);
  return match
    ? Math.min(withoutTrailingZeros(match[1] ?? '').length, maxSupportedDigits)
    : undefined;
}

/** Formats a time in milliseconds; returns the original text when it could not be parsed. */
function formatTime(format: Intl.DateTimeFormat, text: string, time: number): string {
  return Number.isNaN(time) ? text : format.format(time);
}

function parseTime(text: string): number {
  const [, day, time = '00:00', offset = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d(?::?\d\d)?)?)?$/.exec(
      text,
    ) ?? [];
  const colons = /^[+-]\d\d$/.test(offset)
    ? `${offset}:00`
    : offset.replace(/(\d\d)(\d\d)$/, '$1:$2');
  return Date.parse(`${day}T${time}${colons}`);
}

/**
 * Caches the results of a function by its argument, because creating an Intl object is a hundred times slower than
 * using it.
 */
function remember<T>(make: (key: string) => T): (key: string) => T {
  const made = new Map<string, T>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const fresh = make(key);
    made.set(key, fresh);
    return fresh;
  };
}
