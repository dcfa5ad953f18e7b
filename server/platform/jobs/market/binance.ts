import { parseAmount, parseDecimalJson, valueAt } from './decimal-json.ts';
import { fetchText, StatusError } from './fetch-text.ts';
import { fetchPerCoin } from './per-coin.ts';
import type { PriceSource } from './price-source.ts';

/**
 * The last price at Binance.US: https://docs.binance.us. The exchange at binance.com has no market in dollars, and a
 * price in a stable coin differs from a price in dollars.
 */
export function binance(baseUrl = 'https://api.binance.us'): PriceSource {
  return {
    name: 'binance',
    quotes: (coins, signal) =>
      fetchPerCoin(coins, async (coin) => {
        const symbol = `${coin}USD`;
        const url = `${baseUrl}/api/v3/ticker/price?symbol=${symbol}`;
        const text = await fetchText(url, signal).catch(unknownSymbol);
        if (text === undefined) return undefined;
        const ticker = parseDecimalJson(text);
        if (valueAt(ticker, 'symbol') !== symbol)
          throw new Error('the answer is for another symbol');
        return parseAmount(valueAt(ticker, 'price'));
      }),
  };
}

function unknownSymbol(error: unknown): undefined {
  if (error instanceof StatusError && error.status === 400) return undefined;
  throw error;
}
