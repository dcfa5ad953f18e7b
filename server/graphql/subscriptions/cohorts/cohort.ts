import { backOffMs } from '../../../back-off.ts';
import { callerOf, type Share } from '../../../db/requests/fairness/fair-shares.ts';
import type { LiveQuery } from '../../request/live-operation.ts';
import type { RefetchQueue } from '../refetch-queue.ts';
import type { SubscriptionMetrics } from '../subscription-metrics.ts';
import { fetchBackOff, isTemporary } from '../temporary.ts';
import { FetchedAnswer, type LatestAnswer } from './latest-answer.ts';

/** One subscription of a cohort. */
export interface CohortMember {
  readonly operation: LiveQuery;
  /** The share of the caller, to which the fetches count that use its operation. */
  readonly share: Share;
  readonly answers: LatestAnswer;
  /** Called when the query has failed. The member leaves then. */
  fail(error: unknown): void;
}

export interface CohortOptions {
  readonly queue: RefetchQueue;
  readonly metrics: SubscriptionMetrics;
  /** Minimum milliseconds between the beginnings of two fetches. */
  readonly gapMs: number;
  /** Milliseconds until the next fetch without a report of a change, on average. */
  readonly pollMs: number;
  /** Called when the cohort fetches without a report of a change. */
  onPoll(): void;
}

/**
 * Milliseconds that each member adds to the gap between two fetches. An answer for 1,000 members takes the event loop
 * some 13 ms to send, so a cohort uses at most an eighth of its time.
 */
const gapMsPerMember = 0.1;

/** Maximum callers in whose lines a fetch waits. */
const maxTurns = 3;

/** The subscriptions that get the same answers, which are fetched once for all of them. */
export class Cohort {
  readonly #options: CohortOptions;
  /** The members, with the number of the first fetch whose answer they may get. */
  readonly #members = new Map<CohortMember, number>();
  readonly #stop = new AbortController();
  #state: 'idle' | 'waiting' | 'fetching' = 'idle';
  /** Whether something may have changed since the running fetch began. */
  #isStale = false;
  /** The number of fetches that have begun. */
  #begun = 0;
  #beganAt = Number.NEGATIVE_INFINITY;
  #failures = 0;
  /** When the oldest change was read that is not in an answer yet. */
  #changedAt: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Drops the fetch that waits in the queue. */
  #leaveQueue: () => void = () => {};
  #pollAt: number;

  constructor(options: CohortOptions) {
    this.#options = options;
    this.#pollAt = this.#nextPoll();
  }

  get size(): number {
    return this.#members.size;
  }

  /** Adds a member. Its first answer comes from a fetch that begins afterwards, so it shows what the client has written. */
  add(member: CohortMember): void {
    this.#members.set(member, this.#begun + 1);
    this.refetch();
  }

  remove(member: CohortMember): void {
    this.#members.delete(member);
    if (this.#members.size === 0) this.#close();
  }

  /**
   * Fetches again, as soon as the gap and the queue permit it. During a fetch, another one follows, because the running
   * fetch may have begun before the change.
   * @param changedAt when the change was read, as `performance.now()`; absent: there is no known change
   */
  refetch(changedAt?: number): void {
    this.#changedAt ??= changedAt;
    if (this.#state === 'fetching') this.#isStale = true;
    if (this.#state !== 'idle') return;
    const gapMs = this.#options.gapMs + gapMsPerMember * this.#members.size;
    this.#schedule(this.#beganAt + gapMs - performance.now());
  }

  /** Fetches again if the time for a fetch without a report has come. */
  poll(now: number): void {
    if (now < this.#pollAt) return;
    this.#pollAt = this.#nextPoll();
    this.#options.onPoll();
    this.refetch();
  }

  #schedule(waitMs: number): void {
    this.#state = 'waiting';
    if (waitMs > 0) this.#timer = setTimeout(() => this.#enqueue(), waitMs).unref();
    else this.#enqueue();
  }

  /** The fetch counts to the first of these callers that has a turn, so that none of them can delay the others. */
  #enqueue(): void {
    const byCaller = new Map<string, CohortMember>();
    for (const member of this.#members.keys()) {
      const caller = callerOf(member.share);
      if (!byCaller.has(caller)) byCaller.set(caller, member);
      if (byCaller.size === maxTurns) break;
    }
    const turns = [...byCaller.values()].map((member) => ({
      share: member.share,
      work: () => this.#fetch(member),
    }));
    this.#leaveQueue = this.#options.queue.add(...turns);
  }

  async #fetch(caller: CohortMember): Promise<void> {
    const [first] = this.#members.keys();
    const member = this.#members.has(caller) ? caller : first;
    if (!member) return;
    const changedAt = this.#begin();
    try {
      const answer = new FetchedAnswer(await member.operation.fetch(this.#stop.signal));
      this.#failures = 0;
      this.#deliver(answer, changedAt);
    } catch (error) {
      this.#fail(error, changedAt);
    }
    if (this.#stop.signal.aborted) return;
    this.#state = 'idle';
    if (this.#failures > 0) this.#schedule(backOffMs(this.#failures, fetchBackOff));
    else if (this.#isStale) this.refetch();
  }

  #begin(): number | undefined {
    const changedAt = this.#changedAt;
    this.#changedAt = undefined;
    this.#state = 'fetching';
    this.#isStale = false;
    this.#begun += 1;
    this.#beganAt = performance.now();
    this.#pollAt = this.#nextPoll();
    return changedAt;
  }

  #deliver(answer: FetchedAnswer, changedAt: number | undefined): void {
    const { metrics } = this.#options;
    let sent = 0;
    for (const [member, firstFetch] of this.#members) {
      const again = () => this.#fetchAgainFor(member);
      if (firstFetch <= this.#begun && member.answers.offer(answer, again)) sent += 1;
    }
    metrics.refetches.inc({ outcome: sent > 0 ? 'changed' : 'unchanged' });
    metrics.messages.inc({ kind: 'query' }, sent);
    if (sent > 0 && changedAt !== undefined) {
      metrics.latency.observe((performance.now() - changedAt) / 1000);
    }
  }

  /** A client that has left, or that has joined another cohort, needs no answer of this one. */
  #fetchAgainFor(member: CohortMember): void {
    if (this.#members.has(member)) this.refetch();
  }

  #fail(error: unknown, changedAt: number | undefined): void {
    if (this.#stop.signal.aborted) return;
    this.#options.metrics.refetches.inc({ outcome: 'failed' });
    if (isTemporary(error)) {
      this.#failures += 1;
      this.#changedAt = changedAt ?? this.#changedAt;
      return;
    }
    this.#failures = 0;
    for (const [member, firstFetch] of [...this.#members]) {
      if (firstFetch <= this.#begun) member.fail(error);
    }
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.#leaveQueue();
    this.#stop.abort();
  }

  /** The random part spreads the fetches of many cohorts. */
  #nextPoll(): number {
    return performance.now() + this.#options.pollMs * (0.8 + 0.4 * Math.random());
  }
}
