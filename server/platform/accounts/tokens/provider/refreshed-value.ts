/** What is fetched from somebody who may be slow, gone, or asked for in bad faith. */
export interface RefreshedOptions<T> {
  /** Gives up when told. */
  readonly load: (signal: AbortSignal) => Promise<T>;
  /** Told of each attempt that failed. */
  readonly onFailure: (error: unknown) => void;
  /** Nobody waits for longer; default 5 s. */
  readonly patienceMs?: number;
}

const usualPatienceMs = 5000;
/** Older values are replaced, and serve until then. */
const freshMs = 10 * 60 * 1000;
/** Older values no longer count, whatever becomes of their source. */
const lastingMs = 24 * 60 * 60 * 1000;
/** Between two attempts, whoever asks. */
const pauseMs = 10_000;

/** A value that is fetched on first use, kept up in the background, and outlives its source for a while. */
export class Refreshed<T> {
  readonly #options: RefreshedOptions<T>;
  readonly #closing = new AbortController();
  #value: T | undefined;
  #loadedAt = Number.NEGATIVE_INFINITY;
  #attemptedAt = Number.NEGATIVE_INFINITY;
  #loading: Promise<void> | undefined;
  #hasFailed = false;

  constructor(options: RefreshedOptions<T>) {
    this.#options = options;
  }

  /** Whether the last attempt failed. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** The value that counts at this moment, without waiting; one that has aged is replaced meanwhile. */
  peek(): T | undefined {
    if (this.#age() > freshMs) void this.#refresh();
    return this.#age() > lastingMs ? undefined : this.#value;
  }

  /** Waits where there is no value yet; undefined where there is none to be had. */
  async get(): Promise<T | undefined> {
    const value = this.peek();
    if (value !== undefined) return value;
    await this.#refresh();
    return this.peek();
  }

  /** The value as it is at the source, unless that was asked a moment ago. */
  async renew(): Promise<T | undefined> {
    await this.#refresh();
    return this.peek();
  }

  close(): void {
    this.#closing.abort();
  }

  #age(): number {
    return performance.now() - this.#loadedAt;
  }

  #refresh(): Promise<void> {
    const isTooSoon = performance.now() - this.#attemptedAt < pauseMs;
    if (this.#loading || isTooSoon || this.#closing.signal.aborted) {
      return this.#loading ?? Promise.resolve();
    }
    this.#attemptedAt = performance.now();
    this.#loading = this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  /** Never rejects. */
  async #load(): Promise<void> {
    const { load, onFailure, patienceMs = usualPatienceMs } = this.#options;
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(patienceMs)]);
    try {
      this.#value = await load(signal);
      this.#loadedAt = performance.now();
      this.#hasFailed = false;
    } catch (error) {
      this.#hasFailed = true;
      if (!this.#closing.signal.aborted) onFailure(error);
    } finally {
      // What has failed for want of another such value may be tried again as soon as that one.
      this.#attemptedAt = performance.now();
    }
  }
}
