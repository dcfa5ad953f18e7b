import type pg from 'pg';
import type { Job, JobResult } from 'pg-boss';
import type pino from 'pino';
import { errorMessage } from '../../errors.ts';
import type { Format } from '../../platform/document/format.ts';
import type { Postman } from '../../platform/mail/postman.ts';
import {
  type CallbackJob,
  callbackQueue,
  deadCallbackQueue,
  prepareCallbackQueues,
} from '../../platform/queue/callback-queue.ts';
import type { Queue } from '../../platform/queue/open-queue.ts';
import { makeCallbackProcessing } from './process-callback.ts';

export interface CallbackWorkServices {
  /** Of the sidecar's login. */
  readonly pool: pg.Pool;
  readonly queue: Pick<Queue, 'boss'>;
  readonly postman: Postman;
  readonly format: Format;
  readonly logger: pino.Logger;
}

/** Postgres tells of new jobs at once; of those whose time has come again, and of dead ones, asking does. */
const asking = { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 5 } as const;
const working = {
  ...asking,
  batchSize: 20,
  burstWhenBatchFull: true,
  localConcurrency: 2,
  perJobResults: true,
} as const;

/** Begins to process what providers called in, each callback once; the queue ends it. */
export async function workCallbacks(services: CallbackWorkServices): Promise<void> {
  const { pool, queue, logger } = services;
  const process = makeCallbackProcessing(services);
  await prepareCallbackQueues(queue.boss);
  const tryOne = async ({ id, data }: Job<CallbackJob>): Promise<JobResult> => {
    try {
      await process(data.id);
      return { id, status: 'completed' };
    } catch (error) {
      logger.warn({ err: error, callback: data.id }, 'a callback was not processed; tried again');
      const note = errorMessage(error);
      await pool.query('select rowgate_webhooks.note_failure($1, $2)', [data.id, note]);
      return { id, status: 'failed', output: { message: note } };
    }
  };
  await queue.boss.work(callbackQueue, working, (jobs: Job<CallbackJob>[]) =>
    oneByOne(jobs, tryOne),
  );
  await queue.boss.work(deadCallbackQueue, asking, async (jobs: Job<CallbackJob>[]) => {
    for (const { data } of jobs) await giveUp(pool, data.id, logger);
  });
}

async function oneByOne<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

async function giveUp(pool: pg.Pool, id: string, logger: pino.Logger): Promise<void> {
  const { rows } = await pool.query<{ readonly reason: string | null }>(
    'select rowgate_webhooks.give_up_callback($1) as reason',
    [id],
  );
  const reason = rows[0]?.reason;
  if (reason != null) logger.error({ callback: id, reason }, 'gave up on a callback');
}
