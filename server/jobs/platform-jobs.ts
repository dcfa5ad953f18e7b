import type pg from 'pg';
import type pino from 'pino';
import type { Config } from '../config.ts';
import type { Queue } from '../platform/queue/open-queue.ts';
import type { Job } from './job.ts';
import { coinPricesJob } from './market/coin-prices-job.ts';
import { currencyRatesJob } from './market/currency-rates-job.ts';
import { midnightJob } from './midnight-job.ts';
import { reaperJob } from './reaper-job.ts';

export interface PlatformJobsOptions {
  /** Of the sidecar's login. */
  readonly pool: pg.Pool;
  readonly queue: Queue;
  readonly config: Pick<Config, 'jobs'>;
  /** Makes the reports that are requested or due; how many. */
  readonly generateReports: () => Promise<number>;
  readonly logger: pino.Logger;
}

/** All that the platform's schedules may name as `job:`. */
export function platformJobs(options: PlatformJobsOptions): readonly Job[] {
  const { pool, config, generateReports } = options;
  return [
    coinPricesJob(pool, config.jobs),
    currencyRatesJob(pool, config.jobs),
    midnightJob(pool, generateReports),
    reaperJob(options),
  ];
}
