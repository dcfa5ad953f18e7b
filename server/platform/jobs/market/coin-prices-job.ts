import type pg from 'pg';
import { callFunction } from '../../../schedules/call-function.ts';
import type { Job, JobOutcome } from '../../../schedules/job.ts';
import type { JobConfig, PriceSourceName } from '../../config/job-config.ts';
import { binance } from './binance.ts';
import { coinbase } from './coinbase.ts';
import { coingecko } from './coingecko.ts';
import { kraken } from './kraken.ts';
import type { PriceSource, Quote, SourceAnswer } from './price-source.ts';
import { failuresOf, querySources } from './query-sources.ts';

/** A coin's price that is older than this is marked as stale. By then two runs of the job have found no new price. */
const staleAfter = '30 minutes';

const adapters: Readonly<Record<PriceSourceName, (baseUrl?: string) => PriceSource>> = {
  coinbase,
  kraken,
  binance,
  coingecko,
};

/** Makes the job that reads coin prices from the configured sources and updates the values of wallets. */
export function coinPricesJob(pool: pg.Pool, config: JobConfig): Job {
  const sources = config.priceSources.map(({ name, baseUrl }) => adapters[name](baseUrl));
  return {
    name: 'coin_prices',
    run: async ({ signal }) => {
      const coins = await coinsToPrice(pool, config.priceCoins);
      const askedSources = coins.length > 0 ? sources : [];
      const answers = await querySources(
        askedSources,
        (source, sourceSignal) => source.quotes(coins, sourceSignal),
        signal,
      );
      signal.throwIfAborted();
      return store(pool, { coins, answers, quorum: config.priceQuorum });
    },
  };
}

async function coinsToPrice(
  pool: pg.Pool,
  configured: readonly string[],
): Promise<readonly string[]> {
  const heldCoins = await callFunction<readonly string[]>(
    pool,
    'array(select rowgate_jobs.wallet_coins())',
  );
  return [...new Set([...heldCoins, ...configured])].sort();
}

interface PriceAnswers {
  readonly coins: readonly string[];
  readonly answers: readonly SourceAnswer<readonly Quote[]>[];
  readonly quorum: number;
}

async function store(pool: pg.Pool, { coins, answers, quorum }: PriceAnswers): Promise<JobOutcome> {
  const quotes = answers.flatMap((one) =>
    'answer' in one ? one.answer.map((quote) => ({ ...quote, source: one.name })) : [],
  );
  const { stored, refused } = await callFunction<{
    readonly stored: readonly string[];
    /** Coins whose prices were not stored, because too few sources have a price or the sources disagree. */
    readonly refused: readonly string[];
  }>(pool, 'rowgate_jobs.store_prices($1, $2)', [JSON.stringify(quotes), quorum]);
  const failed = answers.length > 0 && stored.length === 0;
  return {
    ok: !failed,
    detail: {
      ...(failed && { error: 'no coin has a new price' }),
      ...(answers.length === 0 && { note: 'no source is configured; see ROWGATE_PRICE_SOURCES' }),
      stored: stored.length,
      missing: coins.filter((coin) => !stored.includes(coin)),
      refused,
      failures: failuresOf(answers),
      marked_stale: await callFunction(pool, 'rowgate_jobs.mark_stale_prices($1::interval)', [
        staleAfter,
      ]),
      wallets_changed: await callFunction(pool, 'rowgate_jobs.refresh_wallet_values()'),
    },
  };
}
