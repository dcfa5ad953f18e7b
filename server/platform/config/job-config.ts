import type { EnvironmentReader } from '../../config/environment.ts';

const priceSources = ['coinbase', 'kraken', 'binance', 'coingecko'] as const;
const rateSources = ['ecb'] as const;

/** Who knows prices of coins. */
export type PriceSourceName = (typeof priceSources)[number];
/** Who knows rates of currencies. */
export type RateSourceName = (typeof rateSources)[number];

/** Somebody who is asked, at an address of one's own choice or at the usual one. */
export interface SourceConfig<Name extends string> {
  readonly name: Name;
  /** Without a slash at its end; absent: the usual one. */
  readonly baseUrl: string | undefined;
}

/** Where prices and rates come from. Nobody is asked who is not named. */
export interface JobConfig {
  readonly priceSources: readonly SourceConfig<PriceSourceName>[];
  /** Asked for besides those of the wallets. */
  readonly priceCoins: readonly string[];
  /** How many sources must agree on a price; default 1. */
  readonly priceQuorum: number;
  readonly rateSources: readonly SourceConfig<RateSourceName>[];
}

/** Reads and checks where prices come from; problems are collected by the reader. */
export function readJobConfig(read: EnvironmentReader): JobConfig {
  const sources = parseSources(read.list('ROWGATE_PRICE_SOURCES'), priceSources, (problem) =>
    read.complain('ROWGATE_PRICE_SOURCES', problem),
  );
  const quorum = read.integer('ROWGATE_PRICE_QUORUM', 1, priceSources.length) ?? 1;
  if (sources.length > 0 && quorum > sources.length) {
    const problem = `is ${quorum}, but ROWGATE_PRICE_SOURCES names ${sources.length}; there would never be a price`;
    read.complain('ROWGATE_PRICE_QUORUM', problem);
  }
  return {
    priceSources: sources,
    priceCoins: readCoins(read),
    priceQuorum: quorum,
    rateSources: parseSources(read.list('ROWGATE_RATE_SOURCES'), rateSources, (problem) =>
      read.complain('ROWGATE_RATE_SOURCES', problem),
    ),
  };
}

function parseSources<Name extends string>(
  entries: readonly string[],
  names: readonly Name[],
  complain: (problem: string) => void,
): readonly SourceConfig<Name>[] {
  const found = entries.flatMap((entry) => {
    const source = parseSource(entry, names);
    if (source) return [source];
    complain(`names "${entry}"; there are ${names.join(', ')}, each also as ${names[0]}=https://…`);
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
