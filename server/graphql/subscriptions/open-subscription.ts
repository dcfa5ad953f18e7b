import type { LiveStream } from '../request/live-operation.ts';
import type { Cohorts } from './cohorts/cohorts.ts';
import { LatestAnswer } from './cohorts/latest-answer.ts';
import type { CompiledSubscription } from './compile-subscription.ts';
import type { Receiver } from './receiver.ts';
import type { RefetchQueue } from './refetch-queue.ts';
import { Stream } from './streams/stream.ts';
import type { Streams } from './streams/streams.ts';
import type { SubscriptionMetrics } from './subscription-metrics.ts';

export interface OpenSubscriptionOptions {
  readonly compiled: CompiledSubscription;
  readonly receiver: Receiver;
  readonly cohorts: Cohorts;
  readonly streams: Streams;
  readonly queue: RefetchQueue;
  readonly metrics: SubscriptionMetrics;
  /** Called when the subscription cannot continue. */
  fail(error: unknown): void;
}

/** A client's subscription. It stays open while its operation is compiled again by other rules. */
export class OpenSubscription {
  readonly #options: OpenSubscriptionOptions;
  readonly #answers: LatestAnswer;
  #compiled: CompiledSubscription;
  #stream: Stream | undefined;
  #leave: () => void = () => {};
  #isClosed = false;

  constructor(options: OpenSubscriptionOptions) {
    this.#options = options;
    this.#compiled = options.compiled;
    this.#answers = new LatestAnswer(options.receiver);
  }

  get compiled(): CompiledSubscription {
    return this.#compiled;
  }

  get kind(): 'query' | 'stream' {
    return this.#compiled.operation.kind;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Ends the subscription with an error. */
  fail(error: unknown): void {
    this.#options.fail(error);
  }

  /** Joins the cohort or begins the stream. @throws RequestError above a limit */
  begin(): void {
    this.#join(this.#compiled, 'join');
  }

  /**
   * Continues with the operation that was compiled again. The client gets an answer only if it differs, and a stream
   * continues at its place.
   */
  replace(compiled: CompiledSubscription): void {
    if (this.#isClosed) return;
    const leave = this.#leave;
    this.#join(compiled, 'rejoin');
    this.#compiled = compiled;
    leave();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#leave();
    if (this.#stream) this.#options.streams.close(this.#stream);
  }

  #join({ operation, share }: CompiledSubscription, how: 'join' | 'rejoin'): void {
    const { cohorts, fail } = this.#options;
    if (operation.kind === 'query')
      this.#leave = cohorts[how]({ operation, share, answers: this.#answers, fail });
    else this.#joinStream(operation, share);
  }

  #joinStream(operation: LiveStream, share: CompiledSubscription['share']): void {
    const { streams, receiver, queue, metrics, fail } = this.#options;
    if (this.#stream) {
      streams.replace(this.#stream, operation);
      return;
    }
    this.#stream = new Stream({ operation, share, receiver, queue, metrics, fail });
    streams.open(this.#stream);
  }
}
