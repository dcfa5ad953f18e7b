import { RequestError } from '../../request-error.ts';

interface QueuedOperation {
  readonly id: string;
  /**
   * Runs and answers the operation unless the signal aborts. Never rejects. Resolves to true when it has opened a
   * subscription, which stays open until the signal aborts or `end` is called.
   */
  readonly run: (signal: AbortSignal, end: () => void) => Promise<boolean>;
  readonly abort: AbortController;
}

export interface OperationQueueOptions {
  /** Maximum number of operations that run at a time. */
  readonly max: number;
  /** Whether another operation may begin beside the running ones. */
  readonly mayBegin: (running: number) => boolean;
  /** Called after operations have begun or ended. */
  readonly onChange: () => void;
}

/**
 * The operations of one socket: a few run at a time, the others wait in the order of their arrival. Open subscriptions
 * do not count as running.
 */
export class OperationQueue {
  readonly #options: OperationQueueOptions;
  /** Operations for which the client waits. A stopped operation is not in this map, but may still run. */
  readonly #byId = new Map<string, QueuedOperation>();
  readonly #waiting = new Set<QueuedOperation>();
  readonly #subscriptions = new Set<QueuedOperation>();
  #running = 0;

  constructor(options: OperationQueueOptions) {
    this.#options = options;
  }

  get isIdle(): boolean {
    return this.#running === 0;
  }

  get hasWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** The number of open subscriptions. */
  get subscriptions(): number {
    return this.#subscriptions.size;
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  /** Adds an operation, and replaces an earlier operation with the same id. */
  add(id: string, run: QueuedOperation['run']): void {
    this.stop(id);
    const operation = { id, run, abort: new AbortController() };
    this.#byId.set(id, operation);
    this.#waiting.add(operation);
    this.begin();
  }

  /** Stops an operation: the client gets no answer, and a waiting operation does not begin. */
  stop(id: string): void {
    const operation = this.#byId.get(id);
    if (!operation) return;
    this.#forget(operation);
    operation.abort.abort(new RequestError('bad-request', 'the operation was taken back'));
    this.#options.onChange();
  }

  stopWaiting(): void {
    for (const { id } of this.#waiting) this.stop(id);
  }

  stopSubscriptions(): void {
    for (const { id } of this.#subscriptions) this.stop(id);
  }

  stopAll(): void {
    for (const id of this.#byId.keys()) this.stop(id);
  }

  /** Begins waiting operations until the limits are reached. */
  begin(): void {
    const { max, mayBegin, onChange } = this.#options;
    for (const next of this.#waiting) {
      if (this.#running >= max || !mayBegin(this.#running)) break;
      this.#waiting.delete(next);
      void this.#run(next);
    }
    onChange();
  }

  async #run(operation: QueuedOperation): Promise<void> {
    const { run, abort } = operation;
    this.#running += 1;
    let hasEnded = false;
    const isOpen = await run(abort.signal, () => {
      hasEnded = true;
      this.#forget(operation);
    });
    this.#running -= 1;
    if (isOpen && !hasEnded && !abort.signal.aborted) this.#subscriptions.add(operation);
    else this.#forget(operation);
    this.begin();
  }

  #forget(operation: QueuedOperation): void {
    this.#waiting.delete(operation);
    this.#subscriptions.delete(operation);
    if (this.#byId.get(operation.id) === operation) this.#byId.delete(operation.id);
  }
}
