import { RequestError } from '../../request-error.ts';

/** Runs one operation, and answers it unless its signal has ended by then. Never rejects. */
export type Run = (signal: AbortSignal) => Promise<void>;

export interface OperationQueueOptions {
  /** Operations that run at a time. */
  readonly max: number;
  /** Whether another one may begin besides those that run. */
  readonly mayBegin: (running: number) => boolean;
  /** Called after operations have begun or ended. */
  readonly onChange: () => void;
}

interface Operation {
  readonly id: string;
  readonly run: Run;
  readonly abort: AbortController;
}

/** The operations of one socket: a few run at a time, the others wait in the order in which they came. */
export class OperationQueue {
  readonly #options: OperationQueueOptions;
  /** Operations that the client waits for; one that was stopped may still run. */
  readonly #byId = new Map<string, Operation>();
  readonly #waiting = new Set<Operation>();
  #running = 0;

  constructor(options: OperationQueueOptions) {
    this.#options = options;
  }

  /** Whether nothing runs. */
  get isIdle(): boolean {
    return this.#running === 0;
  }

  /** Whether operations could not begin yet. */
  get isFull(): boolean {
    return this.#waiting.size > 0;
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  /** Stops another one with the id. */
  add(id: string, run: Run): void {
    this.stop(id);
    const operation = { id, run, abort: new AbortController() };
    this.#byId.set(id, operation);
    this.#waiting.add(operation);
    this.begin();
  }

  /** Stops one: it is not answered, and does not begin if it has not. */
  stop(id: string): void {
    const operation = this.#byId.get(id);
    if (!operation) return;
    this.#byId.delete(id);
    this.#waiting.delete(operation);
    operation.abort.abort(new RequestError('bad-request', 'the operation was taken back'));
    this.#options.onChange();
  }

  /** Stops operations that have not begun. */
  stopWaiting(): void {
    for (const { id } of this.#waiting) this.stop(id);
  }

  stopAll(): void {
    for (const id of this.#byId.keys()) this.stop(id);
  }

  /** Begins operations that may begin. */
  begin(): void {
    const { max, mayBegin, onChange } = this.#options;
    for (const next of this.#waiting) {
      if (this.#running >= max || !mayBegin(this.#running)) break;
      this.#waiting.delete(next);
      void this.#run(next);
    }
    onChange();
  }

  async #run(operation: Operation): Promise<void> {
    const { id, run, abort } = operation;
    this.#running += 1;
    await run(abort.signal);
    this.#running -= 1;
    if (this.#byId.get(id) === operation) this.#byId.delete(id);
    this.begin();
  }
}
