import { type Closers, openWhole } from '../../closers.ts';
import { makeFormat } from '../../rendering/format.ts';
import { openPdfRenderer } from '../../rendering/pdf/pdf-renderer.ts';
import type { Job } from '../../schedules/job.ts';
import { openStorage } from '../../storage/open-storage.ts';
import type { PlatformConfig } from '../config/platform-config.ts';
import { coinPricesJob } from './market/coin-prices-job.ts';
import { currencyRatesJob } from './market/currency-rates-job.ts';
import { midnightJob } from './midnight-job.ts';
import { type ReaperOptions, reaperJob } from './reaper-job.ts';
import { generateReports } from './reports/generate-reports.ts';

export interface PlatformJobsOptions extends ReaperOptions {
  readonly config: Pick<PlatformConfig, 'jobs' | 'documents' | 'storage'>;
}

/** The jobs that schedules can name in `job:`. */
export interface PlatformJobs {
  readonly jobs: readonly Job[];
  close(): Promise<void>;
}

/** Opens the platform's jobs. @throws ProcessError RG_CONFIG when the storage of reports cannot be used */
export function openPlatformJobs(options: PlatformJobsOptions): Promise<PlatformJobs> {
  return openWhole(async (closers) => ({
    jobs: await open(options, closers),
    close: () => closers.close(),
  }));
}

async function open(options: PlatformJobsOptions, closers: Closers): Promise<readonly Job[]> {
  const { pool, config, logger } = options;
  const storage = await openStorage(config.storage);
  const renderer = openPdfRenderer(config.documents);
  closers.add(() => renderer.close());
  const format = makeFormat(config.documents.locale);
  const reports = () => generateReports({ pool, storage, renderer, format, logger });
  return [
    coinPricesJob(pool, config.jobs),
    currencyRatesJob(pool, config.jobs),
    { name: 'reports', run: async () => ({ ok: true, detail: { ready: await reports() } }) },
    midnightJob(pool, reports),
    reaperJob(options),
  ];
}
