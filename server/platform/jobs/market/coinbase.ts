import { parseAmount, parseDecimalJson, valueAt } from './decimal-json.ts';
import { fetchText, StatusError } from './fetch-text.ts';
import { fetchPerCoin } from './per-coin.ts';
import { freshMs, type PriceSource } from './price-source.ts';

/** The last trade at Coinbase Exchange: https://docs.cdp.coinbase.com/exchange/reference */
export function coinbase(baseUrl = 'https://api.exchange.coinbase.com'): PriceSource {
  return {
    name: 'coinbase',
    quotes: (coins, signal) =>
      fetchPerCoin(coins, async (coin) => {
        const text = await fetchText(`${baseUrl}/products/${coin}-USD/ticker`, signal).catch(
          unknownProduct,
        );
        if (text === undefined) return undefined;
        const ticker = parseDecimalJson(text);
        if (!isFresh(valueAt(ticker, 'time'))) return undefined;
        return parseAmount(valueAt(ticker, 'price'));
      }),
  };
}

function unknownProduct(error: unknown): undefined {
  if (error instanceof StatusError && error.status === 404) return undefined;
  throw error;
}

function isFresh(time: unknown): boolean {
  return typeof time === 'string' && Math.abs(Date.now() - Date.parse(time)) <= freshMs;
}
