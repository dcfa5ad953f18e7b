import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { JobInsert } from 'pg-boss';
import type pino from 'pino';
import type { EventTrigger } from '../../../permissions/index.ts';
import { withTransaction } from '../../db/with-transaction.ts';
import { loggedReason } from '../../log/log-error.ts';
import { type Queue, within } from '../../queue/open-queue.ts';
import { Bell } from '../bell.ts';
import { relayedChannel } from '../channels.ts';
import { type EventJob, type EventQueue, orderedQueue, plainQueue } from '../event-queues.ts';
import type { Rules } from '../rules.ts';
import {
  keepBehind,
  markRelayed,
  markUnknown,
  readWaiting,
  takeTurn,
  tellWorkers,
  type WaitingEvent,
} from './relay-sql.ts';

const batchSize = 500;
/** A job is taken up again so often beyond the tries of its trigger, in case that workers die. */
const deaths = 10;
/** What a job may take beside its try: workers that die are found by their heartbeat, long before. */
const spareSeconds = 3600;
const longestKey = 200;

export interface RelayOptions {
  readonly pool: pg.Pool;
  readonly queue: Queue;
  readonly rules: () => Rules;
  readonly logger: pino.Logger;
  /** Between two looks without a notice. */
  readonly pollMs: number;
  /** How long an event waits for its trigger to be known, by the rules that hold. */
  readonly graceMs: number;
  /** After so long without a sign of life a worker's jobs are taken up by others. */
  readonly heartbeatSeconds: number;
}

/** Hands events from the outbox to the queue: each once, in their order. */
export class Relay {
  readonly #options: RelayOptions;
  readonly #bell = new Bell();
  readonly #finished: Promise<void>;
  #stopped = false;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#finished = this.#run();
  }

  /** Looks at once. */
  wake(): void {
    this.#bell.ring();
  }

  /** Waits for the batch under way. */
  close(): Promise<void> {
    this.#stopped = true;
    this.#bell.ring();
    return this.#finished;
  }

  async #run(): Promise<void> {
    const { logger, pollMs } = this.#options;
    while (!this.#stopped) {
      try {
        const moved = await this.#moveBatch();
        if (moved < batchSize) await this.#bell.wait(pollMs);
      } catch (error) {
        logger.warn(
          { reason: loggedReason(error) },
          'cannot hand events to the queue; trying again',
        );
        await delay(pollMs);
      }
    }
  }

  /** How many events there were. Nothing is lost or doubled between the outbox and the queue: all or none commits. */
  #moveBatch(): Promise<number> {
    const { pool, rules, graceMs } = this.#options;
    const { events: known, fingerprint } = rules();
    return withTransaction(pool, async (client) => {
      if (!(await takeTurn(client))) return 0;
      const triggers = [...known.keys()];
      const asked = { triggers, fingerprint, graceMs, limit: batchSize };
      const waiting = await readWaiting(client, asked);
      const lost = waiting.filter(({ trigger }) => !known.has(trigger));
      const found = waiting.filter(({ trigger }) => known.has(trigger));
      if (lost.length > 0) await this.#giveUp(client, lost);
      if (found.length > 0) await this.#send(client, found, known);
      return waiting.length;
    });
  }

  async #giveUp(client: pg.ClientBase, events: readonly WaitingEvent[]): Promise<void> {
    const triggers = [...new Set(events.map(({ trigger }) => trigger))];
    const message = 'gave up events of triggers that the metadata does not have';
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
    await tellWorkers(client, relayedChannel);
  }

  #job({ id, at, order_key, job_id }: WaitingEvent, trigger: EventTrigger): JobInsert<EventJob> {
    return {
      id: job_id,
      data: { id, at },
      group: { id: trigger.name },
      ...(order_key !== null && { singletonKey: `${trigger.name}/${shortened(order_key)}` }),
      retryLimit: trigger.retry.limit + deaths,
      expireInSeconds: trigger.retry.timeout + spareSeconds,
      heartbeatSeconds: this.#options.heartbeatSeconds,
    };
  }
}

/** The queue indexes keys, and Postgres takes no long texts there. */
function shortened(key: string): string {
  return key.length <= longestKey ? key : createHash('sha256').update(key).digest('hex');
}
