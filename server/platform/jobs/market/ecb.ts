import { XMLParser } from 'fast-xml-parser';
import { fetchText } from './fetch-text.ts';

/** The rates of the euro on a day: units of each currency for one euro. */
export interface EuroRates {
  /** The day of publication, such as 2026-11-20. */
  readonly published: string;
  /** Rates as decimal text. */
  readonly rates: readonly { readonly currency: string; readonly rate: string }[];
}

/** A source of euro rates. */
export interface RateSource {
  readonly name: string;
  /** Reads the newest rates. @throws Error when the source does not answer or its answer is invalid */
  rates(signal: AbortSignal): Promise<EuroRates>;
}

// Values stay texts. Entities are not expanded, and documents that declare any are refused before parsing.
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseAttributeValue: false,
  parseTagValue: false,
  processEntities: false,
  removeNSPrefix: true,
});

/** The reference rates of the European Central Bank, published each working day at about 16:00 in Frankfurt. */
export function ecb(baseUrl = 'https://www.ecb.europa.eu'): RateSource {
  return {
    name: 'ecb',
    rates: async (signal) =>
      parseEuroRates(await fetchText(`${baseUrl}/stats/eurofxref/eurofxref-daily.xml`, signal)),
  };
}

/** Parses the bank's daily document. @throws Error when the document has another format */
export function parseEuroRates(xml: string): EuroRates {
  if (/<!(DOCTYPE|ENTITY)/i.test(xml)) throw new Error('the document declares a type or entities');
  const document: unknown = parser.parse(xml);
  const day = memberOf(document, 'Envelope', 'Cube', 'Cube');
  const published = memberOf(day, 'time');
  if (typeof published !== 'string' || !isDay(published))
    throw new Error('the document has no valid date');
  const entries = memberOf(day, 'Cube');
  if (!Array.isArray(entries)) throw new Error('the document has no rates');
  return { published, rates: entries.map(parseRate) };
}

function parseRate(entry: unknown): { readonly currency: string; readonly rate: string } {
  const currency = memberOf(entry, 'currency');
  const rate = memberOf(entry, 'rate');
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) {
    throw new Error('the document has a rate without a currency');
  }
  if (typeof rate !== 'string' || !/^\d{1,9}(\.\d{1,12})?$/.test(rate) || !/[1-9]/.test(rate)) {
    throw new Error(`the rate of ${currency} is not a number above zero`);
  }
  return { currency, rate };
}

function memberOf(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[key];
  }
  return found;
}

/** Returns true for a valid date that is not in the future. */
function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return time <= Date.now() && new Date(time).toISOString().startsWith(text);
}
