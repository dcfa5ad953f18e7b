import type { EnvironmentReader } from '../../config/environment.ts';

const priceSources = ['coinbase', 'kraken', 'binance', 'coingecko'] as const;
const rateSources = ['ecb'] as const;

/** The sources of `default`. Two of the three must agree on a price. */
const defaults = {
  prices: ['coinbase', 'kraken', 'coingecko'],
  rates: ['ecb'],
  quorum: 2,
} as const;

/** The sources of coin prices. */
export type PriceSourceName = (typeof priceSources)[number];
/** The sources of currency rates. */
export type RateSourceName = (typeof rateSources)[number];

/** A source of prices or rates. */
export interface SourceConfig<Name extends string> {
  readonly name: Name;
  /** A replacement for the source's own URL, without a slash at its end. */
  readonly baseUrl: string | undefined;
}

/** The sources of prices and rates. Only configured sources are used. */
export interface JobConfig {
  readonly priceSources: readonly SourceConfig<PriceSourceName>[];
  /** Tickers of coins whose prices are read, in addition to the coins in wallets. */
  readonly priceCoins: readonly string[];
  /** The number of sources that must agree on a price; default 1, and 2 for the default sources. */
  readonly priceQuorum: number;
  readonly rateSources: readonly SourceConfig<RateSourceName>[];
}

/** Reads the settings of jobs. Problems are collected in `read`, so that all are reported together. */
export function readJobConfig(read: EnvironmentReader): JobConfig {
  const entries = read.list('ROWGATE_PRICE_SOURCES');
  const named = isDefault(entries) ? defaults.prices : entries;
  const sources = parseSources(named, priceSources, (problem) =>
    read.complain('ROWGATE_PRICE_SOURCES', problem),
  );
  const least = isDefault(entries) ? defaults.quorum : 1;
  const quorum = read.integer('ROWGATE_PRICE_QUORUM', 1, priceSources.length) ?? least;
  if (sources.length > 0 && quorum > sources.length) {
    const problem = `is ${quorum}, but ROWGATE_PRICE_SOURCES names ${sources.length}; there would never be a price`;
    read.complain('ROWGATE_PRICE_QUORUM', problem);
  }
  return {
    priceSources: sources,
    priceCoins: readCoins(read),
    priceQuorum: quorum,
    rateSources: readRateSources(read),
  };
}

function readRateSources(read: EnvironmentReader) {
  const entries = read.list('ROWGATE_RATE_SOURCES');
  return parseSources(isDefault(entries) ? defaults.rates : entries, rateSources, (problem) =>
    read.complain('ROWGATE_RATE_SOURCES', problem),
  );
}

function isDefault(entries: readonly string[]): boolean {
  return entries.length === 1 && entries[0] === 'default';
}

function parseSources<Name extends string>(
  entries: readonly string[],
  names: readonly Name[],
  complain: (problem: string) => void,
): readonly SourceConfig<Name>[] {
  const found = entries.flatMap((entry) => {
    const source = parseSource(entry, names);
    if (source) return [source];
    complain(
      `names "${entry}"; there are ${names.join(', ')}, each also as ${names[0]}=https://…, and default alone`,
    );
    return [];
  });
  if (new Set(found.map(({ name }) => name)).size < found.length) complain('names a source twice');
  return found;
}

function parseSource<Name extends string>(
  entry: string,
  names: readonly Name[],
): SourceConfig<Name> | undefined {
  const [, word = '', url] = /^([a-z]+)(?:=(.*))?$/.exec(entry) ?? [];
  const name = names.find((one) => one === word);
  if (name === undefined) return undefined;
  if (url === undefined) return { name, baseUrl: undefined };
  const isUsable = /^https?:$/.test(URL.parse(url)?.protocol ?? '') && !/[?#@]/.test(url);
  return isUsable ? { name, baseUrl: url.replace(/\/+$/, '') } : undefined;
}

function readCoins(read: EnvironmentReader): readonly string[] {
  return read.list('ROWGATE_PRICE_COINS').filter((coin) => {
    if (/^[A-Z0-9]{2,12}$/.test(coin)) return true;
    read.complain('ROWGATE_PRICE_COINS', `names "${coin}"; it must hold tickers like BTC`);
    return false;
  });
}
