/** The options of a value from a server that may be slow or unreachable. */
export interface RefreshedValueOptions<T> {
  /** Fetches the value. */
  readonly load: (signal: AbortSignal) => Promise<T>;
  /** Receives the error of each failed attempt. */
  readonly onFailure: (error: unknown) => void;
  /** The time limit of one attempt in milliseconds; default 5000. */
  readonly timeoutMs?: number;
  /** Returns for how many milliseconds a value is fresh; default 10 minutes. */
  readonly freshMsOf?: (value: T) => number | undefined;
}

const defaultTimeoutMs = 5000;
/** A value older than this is refreshed in the background, and stays in use until then. */
const defaultFreshMs = 10 * 60 * 1000;
/** A value that is stale for longer than this is not used any more. */
const maxStaleMs = 24 * 60 * 60 * 1000;
/** The minimum pause between two attempts. Without it, tokens with unknown keys could flood the source. */
const pauseMs = 10_000;

/**
 * A value that is fetched at its first use and refreshed in the background. While its source fails, a stale value stays
 * in use for up to a day.
 */
export class RefreshedValue<T> {
  readonly #options: RefreshedValueOptions<T>;
  readonly #closing = new AbortController();
  #value: T | undefined;
  #loadedAt = Number.NEGATIVE_INFINITY;
  #freshMs = defaultFreshMs;
  #attemptedAt = Number.NEGATIVE_INFINITY;
  #loading: Promise<void> | undefined;
  #hasFailed = false;

  constructor(options: RefreshedValueOptions<T>) {
    this.#options = options;
  }

  /** Whether the last attempt to fetch the value has failed. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Returns the current value without waiting, if any. Starts to refresh an older value. */
  peek(): T | undefined {
    if (this.#age() > this.#freshMs) void this.#refresh();
    return this.#age() > this.#freshMs + maxStaleMs ? undefined : this.#value;
  }

  /** Returns the value, and waits for the first one. Returns undefined when it cannot be fetched. */
  async get(): Promise<T | undefined> {
    const value = this.peek();
    if (value !== undefined) return value;
    await this.#refresh();
    return this.peek();
  }

  /** Fetches the value again, unless the last attempt was less than `pauseMs` ago. */
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
    const { load, onFailure, freshMsOf, timeoutMs = defaultTimeoutMs } = this.#options;
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(timeoutMs)]);
    try {
      this.#value = await load(signal);
      this.#freshMs = freshMsOf?.(this.#value) ?? defaultFreshMs;
      this.#loadedAt = performance.now();
      this.#hasFailed = false;
    } catch (error) {
      this.#hasFailed = true;
      if (!this.#closing.signal.aborted) onFailure(error);
    } finally {
      // The pause counts from the end of the attempt. Fetching keys may include fetching the discovery document, which
      // ends earlier. So when the keys may be fetched again, the document may be, too.
      this.#attemptedAt = performance.now();
    }
  }
}
