import { RequestError } from '../../request-error.ts';

interface QueuedOperation {
  readonly id: string;
  /** Runs and answers the operation unless the signal aborts. Never rejects. */
  readonly run: (signal: AbortSignal) => Promise<void>;
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

/** The operations of one socket: a few run at a time, the others wait in the order of their arrival. */
export class OperationQueue {
  readonly #options: OperationQueueOptions;
  /** Operations for which the client waits. A stopped operation is not in this map, but may still run. */
  readonly #byId = new Map<string, QueuedOperation>();
  readonly #waiting = new Set<QueuedOperation>();
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
    this.#byId.delete(id);
    this.#waiting.delete(operation);
    operation.abort.abort(new RequestError('bad-request', 'the operation was taken back'));
    this.#options.onChange();
  }

  stopWaiting(): void {
    for (const { id } of this.#waiting) this.stop(id);
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
    const { id, run, abort } = operation;
    this.#running += 1;
    await run(abort.signal);
    this.#running -= 1;
    if (this.#byId.get(id) === operation) this.#byId.delete(id);
    this.begin();
  }
}
