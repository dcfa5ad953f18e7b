import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type pino from 'pino';
import { loggedReason } from '../../log/log-error.ts';
import type { Queue } from '../../queue/open-queue.ts';
import { Bell } from '../bell.ts';
import type { EventJob, EventQueue } from '../event-queues.ts';
import { FairShare } from './fair-share.ts';
import { loadEvents } from './load-events.ts';
import type { HeldJob, Outcome } from './outcome.ts';
import { settle } from './settle.ts';
import type { TryDelivery } from './try-delivery.ts';

/** While this many run, what ends is settled together with what ends a little later. */
const manyRunning = 8;
const gatherMs = 5;
/** Before a job comes again that could not even be tried. */
const pauseMs = 1000;

export interface CourierOptions {
  readonly pool: pg.Pool;
  readonly queue: Queue;
  readonly name: EventQueue;
  readonly tryDelivery: TryDelivery;
  /** How often each trigger tries again, by its name. */
  readonly limits: () => Readonly<Record<string, number>>;
  /** Told of each try. */
  readonly onOutcome: (outcome: Outcome) => void;
  readonly logger: pino.Logger;
  /** Most deliveries at once. */
  readonly concurrency: number;
  /** Between two looks without being woken. */
  readonly pollMs: number;
  readonly heartbeatSeconds: number;
  /** When it closes: what still runs after this time is given back to the queue. */
  readonly stopMs: number;
}

/**
 * Takes jobs of one queue, as many as there is room for, and settles them as they end. The library's own worker would
 * hold each batch back until its slowest receiver has answered.
 */
export class Courier {
  readonly #options: CourierOptions;
  readonly #bell = new Bell();
  readonly #share: FairShare;
  /** Those that are not settled yet, ended ones too. */
  readonly #held = new Set<HeldJob>();
  #ended: Outcome[] = [];
  #stopped = false;
  readonly #finished: Promise<void>;
  readonly #heartbeat: NodeJS.Timeout;

  constructor(options: CourierOptions) {
    this.#options = options;
    this.#share = new FairShare(options.concurrency);
    const beatMs = (options.heartbeatSeconds * 1000) / 3;
    this.#heartbeat = setInterval(() => void this.#beat(), beatMs);
    this.#finished = this.#run();
  }

  /** Looks for jobs at once. */
  wake(): void {
    this.#bell.ring();
  }

  /** Finishes what runs, for a while, and gives the rest back. */
  close(): Promise<void> {
    this.#stopped = true;
    this.#bell.ring();
    return this.#finished;
  }

  async #run(): Promise<void> {
    const { logger, pollMs } = this.#options;
    while (!this.#stopped) {
      try {
        if (!(await this.#turn())) await this.#bell.wait(pollMs);
        if (this.#held.size >= manyRunning) await delay(gatherMs);
      } catch (error) {
        logger.warn({ reason: loggedReason(error) }, 'cannot work on events; trying again');
        await delay(pollMs);
      }
    }
    await this.#finish().catch((error: unknown) => {
      logger.warn(
        { reason: loggedReason(error) },
        'deliveries under way are left to other workers',
      );
    });
    clearInterval(this.#heartbeat);
  }

  /** Whether there may be more to do at once. */
  async #turn(): Promise<boolean> {
    await this.#settleEnded();
    const room = this.#share.room();
    return room > 0 && (await this.#takeJobs(room));
  }

  async #takeJobs(room: number): Promise<boolean> {
    const { queue, name, pool, limits } = this.#options;
    const ignoreGroups = [...this.#share.sated()];
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
    this.#bell.ring();
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
    for (const { job } of ended) this.#letGo(job);
  }

  #letGo(job: HeldJob): void {
    this.#held.delete(job);
    this.#share.give(job.trigger);
  }

  /** Others take jobs up whose worker does not say in time that it lives. */
  async #beat(): Promise<void> {
    const { queue, name, logger } = this.#options;
    if (this.#held.size === 0) return;
    try {
      await queue.boss.touch(name, [...this.#held]);
    } catch (error) {
      logger.debug({ reason: loggedReason(error) }, 'cannot say that deliveries still run');
    }
  }

  async #finish(): Promise<void> {
    const until = Date.now() + this.#options.stopMs;
    while (this.#held.size > 0 && Date.now() < until) {
      await this.#settleEnded();
      if (this.#held.size > 0) await this.#bell.wait(Math.max(1, until - Date.now()));
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
