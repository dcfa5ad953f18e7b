import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { JobInsert } from 'pg-boss';
import type pino from 'pino';
import type { EventTrigger } from '../../../permissions/index.ts';
import { withTransaction } from '../../db/with-transaction.ts';
import { loggedReason } from '../../log/log-error.ts';
import { type Queue, within } from '../../queue/open-queue.ts';
import { relayedChannel } from '../channels.ts';
import type { EventModel } from '../event-model.ts';
import { type EventJob, type EventQueue, orderedQueue, plainQueue } from '../event-queues.ts';
import { lockPaused } from '../outbox/pause.ts';
import { WakeSignal } from '../wake-signal.ts';
import {
  holdBack,
  keepBehind,
  markRelayed,
  markUnknown,
  notifyWorkers,
  readWaiting,
  takeTurn,
  type WaitingEvent,
} from './relay-sql.ts';

const batchSize = 500;
/**
 * The number of retries of a job in addition to the retries of its trigger. They are used when workers die, so that a
 * dead worker does not use up the retries of the trigger.
 */
const workerDeaths = 10;
/**
 * Seconds that a job may take beyond the timeout of its delivery before pg-boss gives the job to another worker. A dead
 * worker is detected much earlier, by its missing heartbeat.
 */
const spareSeconds = 3600;
const maxKeyLength = 200;

export interface RelayOptions {
  readonly pool: pg.Pool;
  readonly queue: Queue;
  readonly rules: () => EventModel;
  readonly logger: pino.Logger;
  /** The polling interval. */
  readonly pollMs: number;
  /**
   * Time for which an event waits when its trigger is missing in the applied rules. Rules with the trigger may be
   * applied soon.
   */
  readonly graceMs: number;
  /** Other workers take over the jobs of a worker after this time without a heartbeat. */
  readonly heartbeatSeconds: number;
}

/** Moves events from the outbox to the queue, each once and in order. */
export class Relay {
  readonly #options: RelayOptions;
  readonly #wakeSignal = new WakeSignal();
  readonly #finished: Promise<void>;
  #stopped = false;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#finished = this.#run();
  }

  /** Makes the relay read the outbox immediately. */
  wake(): void {
    this.#wakeSignal.notify();
  }

  /** Waits for the running batch, and stops. */
  close(): Promise<void> {
    this.#stopped = true;
    this.#wakeSignal.notify();
    return this.#finished;
  }

  async #run(): Promise<void> {
    const { logger, pollMs } = this.#options;
    while (!this.#stopped) {
      try {
        const moved = await this.#moveBatch();
        if (moved < batchSize) await this.#wakeSignal.wait(pollMs);
      } catch (error) {
        logger.warn(
          { reason: loggedReason(error) },
          'cannot move events to the queue; trying again',
        );
        await delay(pollMs);
      }
    }
  }

  /** Moves a batch in one transaction, so that no event is lost or doubled. Returns the number of events. */
  #moveBatch(): Promise<number> {
    const { pool, rules, graceMs } = this.#options;
    const { events: known, fingerprint } = rules();
    return withTransaction(pool, async (client) => {
      if (!(await takeTurn(client))) return 0;
      const triggers = [...known.keys()];
      const selection = { triggers, fingerprint, graceMs, limit: batchSize };
      const waiting = await readWaiting(client, selection);
      if (waiting.length === 0) return 0;
      const paused = await lockPaused(client);
      const held = waiting.filter(({ trigger }) => paused.has(trigger));
      const due = waiting.filter(({ trigger }) => !paused.has(trigger));
      const unknown = due.filter(({ trigger }) => !known.has(trigger));
      const found = due.filter(({ trigger }) => known.has(trigger));
      if (held.length > 0) await holdBack(client, held);
      if (unknown.length > 0) await this.#giveUp(client, unknown);
      if (found.length > 0) await this.#send(client, found, known);
      return waiting.length;
    });
  }

  async #giveUp(client: pg.ClientBase, events: readonly WaitingEvent[]): Promise<void> {
    const triggers = [...new Set(events.map(({ trigger }) => trigger))];
    const message = 'gave up events of triggers that are not in the metadata';
    this.#options.logger.warn({ triggers, events: events.length }, message);
    await markUnknown(client, events);
  }

  async #send(
    client: pg.ClientBase,
    events: readonly WaitingEvent[],
    known: ReadonlyMap<string, EventTrigger>,
  ): Promise<void> {
    const jobs: Record<EventQueue, JobInsert<EventJob>[]> = {
      [plainQueue]: [],
      [orderedQueue]: [],
    };
    for (const event of events) {
      const trigger = known.get(event.trigger);
      if (!trigger) continue;
      const name = event.order_key === null ? plainQueue : orderedQueue;
      jobs[name].push(this.#job(event, trigger));
    }
    for (const name of [plainQueue, orderedQueue] as const) {
      if (jobs[name].length === 0) continue;
      await this.#options.queue.boss.insert(name, jobs[name], within(client));
    }
    const ordered = jobs[orderedQueue].flatMap(({ id }) => id ?? []);
    if (ordered.length > 0) await keepBehind(client, orderedQueue, ordered);
    await markRelayed(client, events);
    await notifyWorkers(client, relayedChannel);
  }

  #job({ id, at, order_key, job_id }: WaitingEvent, trigger: EventTrigger): JobInsert<EventJob> {
    return {
      id: job_id,
      data: { id, at },
      group: { id: trigger.name },
      ...(order_key !== null && { singletonKey: `${trigger.name}/${shortened(order_key)}` }),
      retryLimit: trigger.retry.limit + workerDeaths,
      expireInSeconds: trigger.retry.timeout + spareSeconds,
      heartbeatSeconds: this.#options.heartbeatSeconds,
    };
  }
}

/**
 * Replaces a long key by a shorter one that is equally unique, because pg-boss indexes keys and Postgres cannot index
 * long texts.
 */
function shortened(key: string): string {
  return key.length <= maxKeyLength ? key : createHash('sha256').update(key).digest('hex');
}
