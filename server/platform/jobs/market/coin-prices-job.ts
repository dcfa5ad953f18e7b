import type pg from 'pg';
import type { JobConfig, PriceSourceName } from '../../../config/job-config.ts';
import { ask } from '../../../schedules/ask.ts';
import type { Job, JobOutcome } from '../../../schedules/job.ts';
import { askSources, failuresOf } from './ask-sources.ts';
import { binance } from './binance.ts';
import { coinbase } from './coinbase.ts';
import { coingecko } from './coingecko.ts';
import { kraken } from './kraken.ts';
import type { Answered, PriceSource, Quote } from './source.ts';

/** A newest price that is older was not got anew twice. */
const staleAfter = '30 minutes';

const adapters: Readonly<Record<PriceSourceName, (baseUrl?: string) => PriceSource>> = {
  coinbase,
  kraken,
  binance,
  coingecko,
};

/** Asks the configured sources what coins cost, and values wallets by it. */
export function coinPricesJob(pool: pg.Pool, config: JobConfig): Job {
  const sources = config.priceSources.map(({ name, baseUrl }) => adapters[name](baseUrl));
  return {
    name: 'coin_prices',
    run: async ({ signal }) => {
      const coins = await wantedCoins(pool, config.priceCoins);
      const asked = coins.length > 0 ? sources : [];
      const answers = await askSources(asked, (source, stop) => source.quotes(coins, stop), signal);
      signal.throwIfAborted();
      return store(pool, { coins, answers, quorum: config.priceQuorum });
    },
  };
}

async function wantedCoins(
  pool: pg.Pool,
  configured: readonly string[],
): Promise<readonly string[]> {
  const ofWallets = await ask<readonly string[]>(pool, 'array(select rowgate_jobs.wallet_coins())');
  return [...new Set([...ofWallets, ...configured])].sort();
}

interface Asked {
  readonly coins: readonly string[];
  readonly answers: readonly Answered<readonly Quote[]>[];
  readonly quorum: number;
}

async function store(pool: pg.Pool, { coins, answers, quorum }: Asked): Promise<JobOutcome> {
  const quotes = answers.flatMap((one) =>
    'answer' in one ? one.answer.map((quote) => ({ ...quote, source: one.name })) : [],
  );
  const { stored, refused } = await ask<{
    readonly stored: readonly string[];
    /** Coins whose sources were too few, or did not agree. */
    readonly refused: readonly string[];
  }>(pool, 'rowgate_jobs.store_prices($1, $2)', [JSON.stringify(quotes), quorum]);
  const failed = answers.length > 0 && stored.length === 0;
  return {
    ok: !failed,
    detail: {
      ...(failed && { error: 'no coin has a new price' }),
      ...(answers.length === 0 && { note: 'no source is asked; see ROWGATE_PRICE_SOURCES' }),
      stored: stored.length,
      missing: coins.filter((coin) => !stored.includes(coin)),
      refused,
      failures: failuresOf(answers),
      marked_stale: await ask(pool, 'rowgate_jobs.mark_stale_prices($1::interval)', [staleAfter]),
      wallets_changed: await ask(pool, 'rowgate_jobs.refresh_wallet_values()'),
    },
  };
}
