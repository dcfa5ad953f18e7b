import { withoutTrailingZeros } from '../trailing-zeros.ts';

/**
 * How a locale writes numbers, money and dates. Numbers are Postgres's decimal text and never become floats; what is
 * no number or date, such as `NaN` or `infinity`, stays as it is.
 */
export interface Format {
  /** The locale, e.g. `en-GB`: the language of the documents that are formatted so. */
  readonly locale: string;
  /**
   * An amount of a currency, with as many decimals as the currency has, and more where the amount has more: no digit
   * is lost. A code that is no currency's stands behind the amount.
   */
  money(amount: string, currency: string): string;
  /** A number, rounded half away from zero to at most `maxDigits` decimals; default: all of them, without end zeros. */
  number(value: string, maxDigits?: number): string;
  /** A value in per cent: `20` is 20 %. */
  percent(value: string): string;
  /** The day of an ISO date or time, as it stands there. */
  date(isoDate: string): string;
  /** A moment, in UTC, and says so. The text is ISO 8601 or Postgres's, with an offset; without one it is UTC. */
  dateTime(iso: string): string;
}

/** Most decimals that Intl writes. */
const mostDigits = 100;
const decimal = /^[+-]?\d+(?:\.(\d*))?$/;
const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** @throws RangeError where the locale is no language tag */
export function makeFormat(locale: string): Format {
  const numbers = remember((options: string) => {
    return new Intl.NumberFormat(locale, JSON.parse(options) as Intl.NumberFormatOptions);
  });
  const write = (value: string, options: Intl.NumberFormatOptions) =>
    numbers(JSON.stringify(options)).format(value as Intl.StringNumericLiteral);
  const usualDecimals = remember((currency: string) => {
    const usual = numbers(JSON.stringify({ style: 'currency', currency })).resolvedOptions();
    return usual.maximumFractionDigits ?? 0;
  });
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const moments = new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  });

  function number(value: string, maxDigits = mostDigits): string {
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
    // The style `percent` would multiply by a hundred.
    return write(value, { style: 'unit', unit: 'percent', maximumFractionDigits });
  }

  return {
    locale,
    money,
    number,
    percent,
    date: (isoDate) => formatMoment(days, isoDate, parseDay(isoDate)),
    dateTime: (iso) => formatMoment(moments, iso, parseMoment(iso)),
  };
}

/** How many decimals a number has besides zeros at its end; undefined where it is no number. */
function decimalsOf(value: string): number | undefined {
  const match = decimal.exec(value);
  return match ? Math.min(withoutTrailingZeros(match[1] ?? '').length, mostDigits) : undefined;
}

function formatMoment(format: Intl.DateTimeFormat, text: string, moment: number): string {
  return Number.isNaN(moment) ? text : format.format(moment);
}

function parseDay(text: string): number {
  const [day = ''] = /^\d{4}-\d\d-\d\d(?=$|[T ])(?!.*BC$)/.exec(text) ?? [];
  return Date.parse(day);
}

function parseMoment(text: string): number {
  const [, day, time = '00:00', offset = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d(?::?\d\d)?)?)?$/.exec(
      text,
    ) ?? [];
  const colons = /^[+-]\d\d$/.test(offset)
    ? `${offset}:00`
    : offset.replace(/(\d\d)(\d\d)$/, '$1:$2');
  return Date.parse(`${day}T${time}${colons}`);
}

/** Making an Intl object costs a hundred times what using it does. */
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
