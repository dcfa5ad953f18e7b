import { type DecimalJson, parseAmount, parseDecimalJson, valueAt } from './decimal-json.ts';
import { fetchText } from './fetch-text.ts';
import { fetchPerCoin } from './per-coin.ts';
import type { PriceSource } from './price-source.ts';

/** Kraken's own names of coins. */
const names: Readonly<Record<string, string>> = { BTC: 'XBT', DOGE: 'XDG' };

/** The last trade at Kraken: https://docs.kraken.com/api/docs/rest-api/get-ticker-information */
export function kraken(baseUrl = 'https://api.kraken.com'): PriceSource {
  return {
    name: 'kraken',
    quotes: (coins, signal) =>
      fetchPerCoin(coins, async (coin) => {
        const pair = `${names[coin] ?? coin}USD`;
        const text = await fetchText(`${baseUrl}/0/public/Ticker?pair=${pair}`, signal);
        return lastTrade(parseDecimalJson(text));
      }),
  };
}

/** Reads the price of the only pair in the answer, whose name differs from the requested one. */
function lastTrade(answer: DecimalJson): string | undefined {
  const errors = valueAt(answer, 'error');
  if (Array.isArray(errors) && errors.length > 0) {
    if (errors.every((one) => one === 'EQuery:Unknown asset pair')) return undefined;
    throw new Error('the answer is an error');
  }
  const [pair, ...more] = Object.values(valueAt(answer, 'result') ?? {}) as readonly DecimalJson[];
  if (pair === undefined || more.length > 0)
    throw new Error('the answer does not have exactly one pair');
  return parseAmount(valueAt(pair, 'c', '0'));
}
