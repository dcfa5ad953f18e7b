import { parseAmount, parseDecimalJson, valueAt } from './decimal-json.ts';
import { fetchText, StatusError } from './fetch-text.ts';
import { askPerCoin } from './per-coin.ts';
import type { PriceSource } from './source.ts';

/**
 * The last price at Binance.US: https://docs.binance.us. The exchange at binance.com has no market in dollars, and
 * what a coin costs in a stable coin is no price in dollars.
 */
export function binance(baseUrl = 'https://api.binance.us'): PriceSource {
  return {
    name: 'binance',
    quotes: (coins, signal) =>
      askPerCoin(coins, async (coin) => {
        const symbol = `${coin}USD`;
        const url = `${baseUrl}/api/v3/ticker/price?symbol=${symbol}`;
        const text = await fetchText(url, signal).catch(unknownSymbol);
        if (text === undefined) return undefined;
        const ticker = parseDecimalJson(text);
        if (valueAt(ticker, 'symbol') !== symbol) throw new Error('it answered for another symbol');
        return parseAmount(valueAt(ticker, 'price'));
      }),
  };
}

function unknownSymbol(error: unknown): undefined {
  if (error instanceof StatusError && error.status === 400) return undefined;
  throw error;
}
