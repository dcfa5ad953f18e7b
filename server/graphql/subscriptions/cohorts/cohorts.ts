import type { SubscriptionConfig } from '../../../config/subscription-config.ts';
import { RequestError } from '../../request-error.ts';
import type { Changes } from '../changes/changes.ts';
import type { RefetchQueue } from '../refetch-queue.ts';
import type { SubscriptionMetrics } from '../subscription-metrics.ts';
import { Cohort, type CohortMember } from './cohort.ts';
import { DependencyIndex } from './dependency-index.ts';

export interface CohortsOptions {
  readonly config: Pick<SubscriptionConfig, 'maxCohorts' | 'gapMs' | 'pollMs' | 'floorPollMs'>;
  readonly queue: RefetchQueue;
  readonly metrics: SubscriptionMetrics;
}

interface Indexed {
  readonly cohort: Cohort;
  readonly unindex: () => void;
}

/** The time between two looks for cohorts whose poll is due, at most. */
const lookMs = 1000;

/** Joins the live queries that get the same answers, and fetches those again whose answers may have changed. */
export class Cohorts {
  readonly #options: CohortsOptions;
  readonly #byKey = new Map<string, Indexed>();
  readonly #index = new DependencyIndex<Cohort>();
  readonly #looking: NodeJS.Timeout;

  constructor(options: CohortsOptions) {
    this.#options = options;
    const { pollMs, floorPollMs } = options.config;
    this.#looking = setInterval(
      () => this.#poll(),
      Math.min(lookMs, pollMs / 5, floorPollMs / 5),
    ).unref();
  }

  get size(): number {
    return this.#byKey.size;
  }

  /**
   * Adds a live query. Returns a function that removes it.
   * @throws RequestError when the process has as many cohorts as it may
   */
  join(member: CohortMember): () => void {
    const isFull = this.#byKey.size >= this.#options.config.maxCohorts;
    if (isFull && !this.#byKey.has(member.operation.cohort)) throw tooManyCohorts();
    return this.rejoin(member);
  }

  /**
   * Adds a live query that was compiled again, without a limit: while all subscriptions change to new rules, the cohorts of
   * both rules are open.
   */
  rejoin(member: CohortMember): () => void {
    const key = member.operation.cohort;
    const { cohort } = this.#byKey.get(key) ?? this.#open(key, member);
    cohort.add(member);
    let isMember = true;
    return () => {
      if (!isMember) return;
      isMember = false;
      cohort.remove(member);
      if (cohort.size === 0) this.#close(key, cohort);
    };
  }

  onChanges({ isComplete, changes, readFrom }: Changes): void {
    if (!isComplete) {
      for (const { cohort } of this.#byKey.values()) cohort.refetch(readFrom);
      return;
    }
    for (const change of changes) {
      const concerned = this.#index.find(change);
      this.#options.metrics.changes.inc({ outcome: concerned.size > 0 ? 'matched' : 'skipped' });
      for (const cohort of concerned) cohort.refetch(readFrom);
    }
  }

  close(): void {
    clearInterval(this.#looking);
  }

  #open(key: string, { operation }: CohortMember): Indexed {
    const { config, queue, metrics } = this.#options;
    const { tables, isPolled, notLive } = operation.dependencies;
    const pollMs = isPolled ? config.pollMs : config.floorPollMs;
    const onPoll = () => {
      for (const table of notLive) metrics.polls.inc({ table });
    };
    const cohort = new Cohort({ queue, metrics, gapMs: config.gapMs, pollMs, onPoll });
    // Indexed before the first fetch begins, so that no change is missed in between.
    const indexed = { cohort, unindex: this.#index.add(cohort, tables) };
    this.#byKey.set(key, indexed);
    metrics.cohorts.set(this.#byKey.size);
    return indexed;
  }

  #close(key: string, cohort: Cohort): void {
    const indexed = this.#byKey.get(key);
    if (indexed?.cohort !== cohort) return;
    indexed.unindex();
    this.#byKey.delete(key);
    this.#options.metrics.cohorts.set(this.#byKey.size);
  }

  #poll(): void {
    const now = performance.now();
    for (const { cohort } of this.#byKey.values()) cohort.poll(now);
  }
}

function tooManyCohorts(): RequestError {
  const message = 'the server has as many different subscriptions as it may; try again later';
  return new RequestError('subscription-limit-exceeded', message);
}
