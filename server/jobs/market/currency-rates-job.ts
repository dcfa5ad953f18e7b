import type pg from 'pg';
import type { JobConfig, RateSourceName } from '../../job-config.ts';
import type { Job, JobContext, JobOutcome } from '../job.ts';
import { askSources } from './ask-sources.ts';
import { ecb, type RateSource } from './ecb.ts';

/** The bank publishes on working days: nothing new for four days is more than a weekend and a holiday. */
const staleAfter = '4 days';

const adapters: Readonly<Record<RateSourceName, (baseUrl?: string) => RateSource>> = { ecb };

/** Asks the configured sources what currencies are worth. */
export function currencyRatesJob(pool: pg.Pool, config: JobConfig): Job {
  const sources = config.rateSources.map(({ name, baseUrl }) => adapters[name](baseUrl));
  return { name: 'currency_rates', run: (context) => sync(pool, sources, context) };
}

async function sync(
  pool: pg.Pool,
  sources: readonly RateSource[],
  { signal }: JobContext,
): Promise<JobOutcome> {
  const answers = await askSources(sources, (source, stop) => source.rates(stop), signal);
  signal.throwIfAborted();
  let stored = 0;
  const failures: Record<string, string> = {};
  for (const one of answers) {
    if ('error' in one) {
      failures[one.name] = one.error;
      continue;
    }
    const { rates, published } = one.answer;
    const { rows } = await pool.query<{ readonly stored: number }>(
      'select rowgate_jobs.store_rates($1, $2, $3) as stored',
      [JSON.stringify(rates), published, one.name],
    );
    stored += rows[0]?.stored ?? 0;
  }
  const stale = await pool.query<{ readonly pairs: readonly string[] }>(
    'select rowgate_jobs.mark_stale_rates($1::interval) as pairs',
    [staleAfter],
  );
  const failed = sources.length > 0 && Object.keys(failures).length === sources.length;
  return {
    ok: !failed,
    detail: {
      ...(failed && { error: 'no source had rates' }),
      ...(sources.length === 0 && { note: 'no source is asked; see ROWGATE_RATE_SOURCES' }),
      stored,
      failures,
      marked_stale: stale.rows[0]?.pairs ?? [],
    },
  };
}
