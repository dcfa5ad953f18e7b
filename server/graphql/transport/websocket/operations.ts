import { takenBack } from './refusals.ts';

/** One operation of a client. */
export interface Started {
  readonly id: string;
  /** Ends when nobody wants the answer any more. */
  readonly wanted: AbortSignal;
}

/** Runs and answers one. Never rejects. */
export type Run = (started: Started) => Promise<void>;

export interface OperationsOptions {
  /** Most that run at a time. */
  readonly most: number;
  /** Whether another one may begin besides those that run. */
  readonly mayBegin: (running: number) => boolean;
  /** Called after some have begun or ended. */
  readonly onChange: () => void;
}

interface Own extends Started {
  readonly run: Run;
  takeBack(): void;
}

/** The operations of one socket: a few at a time, the rest in the order in which they came. */
export class Operations {
  readonly #options: OperationsOptions;
  /** Those whose answer is wanted; what was taken back may still run. */
  readonly #wanted = new Map<string, Own>();
  readonly #waiting = new Set<Own>();
  #running = 0;

  constructor(options: OperationsOptions) {
    this.#options = options;
  }

  /** Whether nothing runs. */
  get isIdle(): boolean {
    return this.#running === 0;
  }

  /** Whether some could not begin yet. */
  get isFull(): boolean {
    return this.#waiting.size > 0;
  }

  has(id: string): boolean {
    return this.#wanted.has(id);
  }

  /** Another one with the id is taken back. */
  add(id: string, run: Run): void {
    this.takeBack(id);
    const abort = new AbortController();
    const takeBack = () => abort.abort(takenBack());
    const started: Own = { id, wanted: abort.signal, run, takeBack };
    this.#wanted.set(id, started);
    this.#waiting.add(started);
    this.begin();
  }

  /** Takes one back: it is not answered, and does not begin if it has not. */
  takeBack(id: string): void {
    const started = this.#wanted.get(id);
    if (!started) return;
    this.#wanted.delete(id);
    this.#waiting.delete(started);
    started.takeBack();
    this.#options.onChange();
  }

  /** Takes back what has not begun. */
  takeBackWaiting(): void {
    for (const { id } of this.#waiting) this.takeBack(id);
  }

  takeBackAll(): void {
    for (const id of this.#wanted.keys()) this.takeBack(id);
  }

  /** Begins what may begin. */
  begin(): void {
    const { most, mayBegin, onChange } = this.#options;
    for (const next of this.#waiting) {
      if (this.#running >= most || !mayBegin(this.#running)) break;
      this.#waiting.delete(next);
      void this.#run(next);
    }
    onChange();
  }

  async #run(started: Own): Promise<void> {
    this.#running += 1;
    await started.run(started);
    this.#running -= 1;
    if (this.#wanted.get(started.id) === started) this.#wanted.delete(started.id);
    this.begin();
  }
}
