import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type pino from 'pino';
import { loggedReason } from '../../log/log-error.ts';
import type { Queue } from '../../queue/open-queue.ts';
import type { EventJob, EventQueue } from '../event-queues.ts';
import { WakeSignal } from '../wake-signal.ts';
import { FairShare } from './fair-share.ts';
import { loadEvents } from './load-events.ts';
import type { HeldJob, Outcome } from './outcome.ts';
import { settle } from './settle.ts';
import type { TryDelivery } from './try-delivery.ts';

/**
 * From this number of running jobs on, the worker writes the results of finished jobs in batches, which saves
 * transactions.
 */
const manyRunning = 8;
const gatherMs = 5;
/** The pause before the retry of a job for which no delivery was possible, in milliseconds. */
const pauseMs = 1000;

export interface DeliveryWorkerOptions {
  readonly pool: pg.Pool;
  readonly queue: Queue;
  readonly name: EventQueue;
  readonly tryDelivery: TryDelivery;
  /** Returns the maximum number of retries of each trigger, by its name. */
  readonly limits: () => Readonly<Record<string, number>>;
  /** Called after each try. */
  readonly onOutcome: (outcome: Outcome) => void;
  readonly logger: pino.Logger;
  /** The maximum number of concurrent deliveries. */
  readonly concurrency: number;
  /** The polling interval. */
  readonly pollMs: number;
  readonly heartbeatSeconds: number;
  /** The maximum wait for running deliveries while closing. Jobs that have not ended by then return to the queue. */
  readonly stopMs: number;
}

/**
 * Takes as many jobs from one queue as it has free places, and records the result of each job as soon as the job ends.
 * pg-boss's own worker is not used, because it waits for the slowest receiver of each batch.
 */
export class DeliveryWorker {
  readonly #options: DeliveryWorkerOptions;
  readonly #wakeSignal = new WakeSignal();
  readonly #share: FairShare;
  /** Jobs whose results are not recorded yet, including finished jobs. */
  readonly #held = new Set<HeldJob>();
  #ended: Outcome[] = [];
  #stopped = false;
  readonly #finished: Promise<void>;
  readonly #heartbeat: NodeJS.Timeout;

  constructor(options: DeliveryWorkerOptions) {
    this.#options = options;
    this.#share = new FairShare(options.concurrency);
    const beatMs = (options.heartbeatSeconds * 1000) / 3;
    this.#heartbeat = setInterval(() => void this.#beat(), beatMs);
    this.#finished = this.#run();
  }

  /** Makes the worker fetch jobs immediately. */
  wake(): void {
    this.#wakeSignal.notify();
  }

  /** Waits for running deliveries for a limited time. Other jobs return to the queue, where other workers take them. */
  close(): Promise<void> {
    this.#stopped = true;
    this.#wakeSignal.notify();
    return this.#finished;
  }

  async #run(): Promise<void> {
    const { logger, pollMs } = this.#options;
    while (!this.#stopped) {
      try {
        if (!(await this.#turn())) await this.#wakeSignal.wait(pollMs);
        if (this.#held.size >= manyRunning) await delay(gatherMs);
      } catch (error) {
        logger.warn({ reason: loggedReason(error) }, 'cannot process events; trying again');
        await delay(pollMs);
      }
    }
    await this.#finish().catch((error: unknown) => {
      logger.warn({ reason: loggedReason(error) }, 'running deliveries are left to other workers');
    });
    clearInterval(this.#heartbeat);
  }

  /** Returns true when more jobs may be waiting. */
  async #turn(): Promise<boolean> {
    await this.#settleEnded();
    const room = this.#share.room();
    return room > 0 && (await this.#takeJobs(room));
  }

  async #takeJobs(room: number): Promise<boolean> {
    const { queue, name, pool, limits } = this.#options;
    const ignoreGroups = [...this.#share.saturated()];
    const retries = limits();
    const jobs = await queue.boss.fetch<EventJob>(name, { batchSize: room, ignoreGroups });
    if (jobs.length === 0) return false;
    const held = jobs.map((job) => this.#hold(job));
    const data = held.map((job) => job.data);
    const events = await loadEvents(pool, data, retries).catch((error: unknown) => {
      for (const job of held) this.#end({ kind: 'again', job, afterMs: 0 });
      throw error;
    });
    for (const job of held) this.#start(job, events);
    return jobs.length === room;
  }

  #hold({ id, retryCount, data, groupId }: QueueJob): HeldJob {
    const job = { id, retryCount, data, trigger: groupId ?? '' };
    this.#held.add(job);
    this.#share.take(job.trigger);
    return job;
  }

  #start(job: HeldJob, events: Awaited<ReturnType<typeof loadEvents>>): void {
    const { tryDelivery, onOutcome, logger } = this.#options;
    tryDelivery(job, events.get(job.data.id)).then(
      (outcome) => {
        onOutcome(outcome);
        this.#end(outcome);
      },
      (error: unknown) => {
        logger.warn({ reason: loggedReason(error), event: job.data.id }, 'cannot try to deliver');
        this.#end({ kind: 'again', job, afterMs: pauseMs });
      },
    );
  }

  #end(outcome: Outcome): void {
    this.#ended.push(outcome);
    this.#wakeSignal.notify();
  }

  async #settleEnded(): Promise<void> {
    const ended = this.#ended.filter(({ job }) => this.#held.has(job));
    this.#ended = [];
    if (ended.length === 0) return;
    try {
      await settle(this.#options, ended);
    } catch (error) {
      this.#ended.unshift(...ended);
      throw error;
    }
    for (const { job } of ended) this.#release(job);
  }

  #release(job: HeldJob): void {
    this.#held.delete(job);
    this.#share.give(job.trigger);
  }

  /** Sends a heartbeat. Other workers take over jobs whose heartbeat is late. */
  async #beat(): Promise<void> {
    const { queue, name, logger } = this.#options;
    if (this.#held.size === 0) return;
    try {
      await queue.boss.touch(name, [...this.#held]);
    } catch (error) {
      logger.debug(
        { reason: loggedReason(error) },
        'cannot send the heartbeat of running deliveries',
      );
    }
  }

  async #finish(): Promise<void> {
    const until = Date.now() + this.#options.stopMs;
    while (this.#held.size > 0 && Date.now() < until) {
      await this.#settleEnded();
      if (this.#held.size > 0) await this.#wakeSignal.wait(Math.max(1, until - Date.now()));
    }
    const ended = new Set(this.#ended.map(({ job }) => job));
    for (const job of this.#held) {
      if (!ended.has(job)) this.#ended.push({ kind: 'again', job, afterMs: 0 });
    }
    await this.#settleEnded();
  }
}

interface QueueJob {
  readonly id: string;
  readonly retryCount: number;
  readonly data: EventJob;
  readonly groupId?: string | null;
}
