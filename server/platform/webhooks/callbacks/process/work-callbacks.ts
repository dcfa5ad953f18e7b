import type pg from 'pg';
import type { Job, JobResult } from 'pg-boss';
import type pino from 'pino';
import { Counter, type Registry } from 'prom-client';
import { withTransaction } from '../../../../db/with-transaction.ts';
import { errorMessage } from '../../../../errors.ts';
import type { Mailer } from '../../../../mail/mailer.ts';
import type { Queue } from '../../../../queue/open-queue.ts';
import type { Format } from '../../../../rendering/format.ts';
import {
  type CallbackJob,
  callbackQueue,
  deadCallbackQueue,
  prepareCallbackQueues,
  sendCallbacks,
} from '../callback-queue.ts';
import { claimCallback, makeCallbackProcessing, type Processed } from './process-callback.ts';
import { wakeLinked } from './wake-linked.ts';

export interface CallbackWorkServices {
  /** Connections of the sidecar login, with which the server accesses everything except the data API. */
  readonly pool: pg.Pool;
  readonly queue: Pick<Queue, 'boss'>;
  readonly mailer: Mailer;
  readonly format: Format;
  /** Milliseconds between two searches for callbacks whose rows were linked; default 2000. */
  readonly linkedPollMs?: number;
  readonly logger: pino.Logger;
  /** The registry for the counter of outcomes. Absent: the counter is not published. */
  readonly registry?: Registry;
}

/** The callback workers of this process. */
export interface CallbackWork {
  /** Stops the polling for linked callbacks. Closing the queue stops the workers. */
  close(): Promise<void>;
}

/** Postgres notifies the workers of new jobs immediately. Polling finds retries that are due, and dead jobs. */
const polling = { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 5 } as const;
const working = {
  ...polling,
  batchSize: 20,
  burstWhenBatchFull: true,
  localConcurrency: 2,
  perJobResults: true,
} as const;

/** Starts the callback workers. Each callback has its effect once. */
export async function workCallbacks(services: CallbackWorkServices): Promise<CallbackWork> {
  const { pool, queue, logger } = services;
  const outcomes = makeOutcomeCounter(services.registry);
  const tryOne = makeTry(services, outcomes);
  await prepareCallbackQueues(queue.boss);
  const tryJob = async ({ id, data }: Job<CallbackJob>): Promise<JobResult> => {
    const problem = await tryOne(data.id);
    if (data.linked !== undefined) await tryNext(services, data.id, data.linked, tryOne);
    return problem === undefined
      ? { id, status: 'completed' }
      : { id, status: 'failed', output: { message: problem } };
  };
  await queue.boss.work(callbackQueue, working, (jobs: Job<CallbackJob>[]) =>
    oneByOne(jobs, tryJob),
  );
  await queue.boss.work(deadCallbackQueue, polling, async (jobs: Job<CallbackJob>[]) => {
    for (const { data } of jobs) await giveUp(services, data.id, outcomes);
  });
  return wakeLinked({ pool, boss: queue.boss, pollMs: services.linkedPollMs, logger });
}

type OutcomeCounter = Counter<'provider' | 'state'>;
/** Tries to process a callback. Returns the reason of a failure; undefined when it was processed. */
type TryOne = (id: string) => Promise<string | undefined>;

function makeOutcomeCounter(registry: Registry | undefined): OutcomeCounter {
  return new Counter({
    name: 'rowgate_callback_outcomes_total',
    help: 'Callbacks that this process brought to a state: done, ignored, unmatched or failed',
    labelNames: ['provider', 'state'],
    registers: registry ? [registry] : [],
  });
}

function makeTry(services: CallbackWorkServices, outcomes: OutcomeCounter): TryOne {
  const { pool, logger } = services;
  const process = makeCallbackProcessing(services);
  return async (id) => {
    try {
      const processed = await process(id);
      if (processed) report(processed, id, outcomes, logger);
      return undefined;
    } catch (error) {
      logger.warn({ err: error, callback: id }, 'a callback was not processed; tried again');
      const note = errorMessage(error);
      await pool.query('select rowgate_webhooks.note_failure($1, $2)', [id, note]);
      return note;
    }
  };
}

function report(
  { provider, state, note }: Processed,
  id: string,
  outcomes: OutcomeCounter,
  logger: pino.Logger,
): void {
  outcomes.inc({ provider, state });
  if (state === 'done') return;
  // Most records of the identity provider's log have a type or a person that the platform does not know. At a level
  // above debug, these lines would hide other lines.
  const level = provider === 'identity' ? 'debug' : state === 'unmatched' ? 'warn' : 'info';
  logger[level]({ callback: id, provider, state, reason: note }, 'a callback had no effect');
}

/**
 * Processes the later unmatched callbacks for the same wallet, card or person in order of arrival. The first callback
 * may wait for another object now.
 */
async function tryNext(
  { pool, queue }: CallbackWorkServices,
  first: string,
  linked: string,
  tryOne: TryOne,
): Promise<void> {
  const nextAfter = (id: string) => nextUnmatched(pool, id, linked);
  for (let id = await nextAfter(first); id !== null; id = await nextAfter(id)) {
    if ((await tryOne(id)) !== undefined) await sendCallbacks(queue.boss, [id]);
  }
}

async function nextUnmatched(pool: pg.Pool, id: string, awaits: string): Promise<string | null> {
  const { rows } = await pool.query<{ readonly next: string | null }>(
    'select rowgate_webhooks.next_unmatched($1, $2) as next',
    [id, awaits],
  );
  return rows[0]?.next ?? null;
}

async function oneByOne<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

async function giveUp(
  { pool, logger }: CallbackWorkServices,
  id: string,
  outcomes: OutcomeCounter,
): Promise<void> {
  await withTransaction(pool, async (client) => {
    const provider = await claimCallback(client, id);
    if (provider === null) return;
    await client.query('select rowgate_webhooks.give_up_callback($1)', [id]);
    outcomes.inc({ provider, state: 'failed' });
    // The reason is not logged, because a Postgres message can quote the callback. `rowgate callbacks show` shows it.
    logger.error({ callback: id, provider }, 'gave up on a callback');
  });
}
