import pino from 'pino';
import type { Model } from '../../../../../permissions/index.ts';
import { openQueue } from '../../../../../server/queue/open-queue.ts';
import { openJobs } from '../../../../../server/schedules/open-jobs.ts';
import { openPool } from '../../../../support/open-pool.ts';

/**
 * A worker in a separate process, so that tests can kill it. Its job prints that it runs, and never
 * ends.
 */
const [url = '', name = '', cron = ''] = process.argv.slice(2);
const logger = pino({ level: 'silent' });
const queue = await openQueue({ url, works: true, logger });
const schedule = {
  name,
  cron,
  timezone: 'UTC',
  run: { kind: 'job', job: name },
  retry: { limit: 3, interval: 1, maxInterval: 2, timeout: 5 },
  position: { file: 'cron.yaml', line: 1, column: 1 },
};
await openJobs({
  pool: openPool({ connectionString: url }),
  queue,
  model: () => ({ schedules: new Map([[name, schedule]]) }) as unknown as Model,
  jobs: [
    {
      name,
      run: async () => {
        process.stdout.write('running\n');
        return new Promise(() => {});
      },
    },
  ],
  webhooks: { baseUrl: 'http://127.0.0.1:9', platformSecret: '', variable: () => undefined },
  logger,
});
