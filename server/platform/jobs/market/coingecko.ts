import { type DecimalJson, parseAmount, parseDecimalJson, valueAt } from './decimal-json.ts';
import { fetchText } from './fetch-text.ts';
import { freshMs, type PriceSource, type Quote } from './price-source.ts';

/**
 * CoinGecko's ids of coins. Tickers are not safe, because several coins can have the same ticker and any new coin can
 * claim one.
 */
const ids: Readonly<Record<string, string>> = {
  AAVE: 'aave',
  ADA: 'cardano',
  ATOM: 'cosmos',
  AVAX: 'avalanche-2',
  BCH: 'bitcoin-cash',
  BNB: 'binancecoin',
  BTC: 'bitcoin',
  DAI: 'dai',
  DOGE: 'dogecoin',
  DOT: 'polkadot',
  ETH: 'ethereum',
  EURC: 'euro-coin',
  LINK: 'chainlink',
  LTC: 'litecoin',
  SOL: 'solana',
  TRX: 'tron',
  UNI: 'uniswap',
  USDC: 'usd-coin',
  USDT: 'tether',
  WBTC: 'wrapped-bitcoin',
  XLM: 'stellar',
  XRP: 'ripple',
};

/** An average over many exchanges: https://docs.coingecko.com/v3.0.1/reference/simple-price */
export function coingecko(baseUrl = 'https://api.coingecko.com'): PriceSource {
  return {
    name: 'coingecko',
    quotes: async (coins, signal) => {
      const known = coins.filter((coin) => ids[coin] !== undefined);
      if (known.length === 0) return [];
      const query = new URLSearchParams({
        ids: known.map((coin) => ids[coin]).join(','),
        vs_currencies: 'usd',
        include_last_updated_at: 'true',
        precision: 'full',
      });
      const text = await fetchText(`${baseUrl}/api/v3/simple/price?${query}`, signal);
      const answer = parseDecimalJson(text);
      return known.flatMap((coin) => quoteOf(coin, valueAt(answer, ids[coin] ?? '')));
    },
  };
}

function quoteOf(coin: string, entry: DecimalJson | undefined): readonly Quote[] {
  if (entry === undefined || !isFresh(valueAt(entry, 'last_updated_at'))) return [];
  const price = valueAt(entry, 'usd');
  return price === null || price === undefined ? [] : [{ coin, price: parseAmount(price) }];
}

function isFresh(seconds: DecimalJson | undefined): boolean {
  if (typeof seconds !== 'string' || !/^\d{1,12}$/.test(seconds)) return false;
  return Math.abs(Date.now() - Number(seconds) * 1000) <= freshMs;
}
