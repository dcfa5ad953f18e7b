import type pg from 'pg';
import { callFunction } from '../../../schedules/call-function.ts';
import type { Job, JobOutcome } from '../../../schedules/job.ts';
import type { JobConfig, RateSourceName } from '../../config/job-config.ts';
import { type EuroRates, ecb, type RateSource } from './ecb.ts';
import type { SourceAnswer } from './price-source.ts';
import { failuresOf, querySources } from './query-sources.ts';

/**
 * Rates older than this are marked as stale. The bank publishes on working days, and four days are longer than a
 * weekend with a holiday.
 */
const staleAfter = '4 days';

const adapters: Readonly<Record<RateSourceName, (baseUrl?: string) => RateSource>> = { ecb };

/** Makes the job that reads currency rates from the configured sources. */
export function currencyRatesJob(pool: pg.Pool, config: JobConfig): Job {
  const sources = config.rateSources.map(({ name, baseUrl }) => adapters[name](baseUrl));
  return {
    name: 'currency_rates',
    run: async ({ signal }) => {
      const answers = await querySources(
        sources,
        (source, sourceSignal) => source.rates(sourceSignal),
        signal,
      );
      signal.throwIfAborted();
      return store(pool, answers);
    },
  };
}

async function store(
  pool: pg.Pool,
  answers: readonly SourceAnswer<EuroRates>[],
): Promise<JobOutcome> {
  let stored = 0;
  for (const one of answers) {
    if ('error' in one) continue;
    const { rates, published } = one.answer;
    const values = [JSON.stringify(rates), published, one.name];
    stored += await callFunction<number>(pool, 'rowgate_jobs.store_rates($1, $2, $3)', values);
  }
  const failures = failuresOf(answers);
  const failed = answers.length > 0 && Object.keys(failures).length === answers.length;
  return {
    ok: !failed,
    detail: {
      ...(failed && { error: 'no source had rates' }),
      ...(answers.length === 0 && { note: 'no source is configured; see ROWGATE_RATE_SOURCES' }),
      stored,
      failures,
      marked_stale: await callFunction(pool, 'rowgate_jobs.mark_stale_rates($1::interval)', [
        staleAfter,
      ]),
    },
  };
}
