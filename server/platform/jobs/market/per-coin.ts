import { errorMessage } from '../../../errors.ts';
import type { Quote } from './price-source.ts';

/** The number of concurrent requests. Exchanges allow a few requests per second. */
const concurrency = 4;

/**
 * Requests the price of each coin separately. A failed request does not affect the other coins.
 * @throws Error when no coin has a price and at least one request failed
 */
export async function fetchPerCoin(
  coins: readonly string[],
  fetchPrice: (coin: string) => Promise<string | undefined>,
): Promise<readonly Quote[]> {
  const quotes: Quote[] = [];
  const failures: string[] = [];
  const waiting = [...coins];
  const work = async () => {
    for (let coin = waiting.shift(); coin !== undefined; coin = waiting.shift()) {
      try {
        const price = await fetchPrice(coin);
        if (price !== undefined) quotes.push({ coin, price });
      } catch (error) {
        failures.push(`${coin}: ${errorMessage(error)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  if (quotes.length === 0 && failures.length > 0) throw new Error(failures[0]);
  return quotes;
}
