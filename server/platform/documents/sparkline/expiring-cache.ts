import { Lru } from '../../../lru.ts';

/** A cached value with the time at which it was computed. */
export interface Cached<V> {
  readonly value: V;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
}

export interface ExpiringCacheOptions<V> {
  readonly lifetimeMs: number;
  /** The maximum total cost of all values, by `costOf`. */
  readonly budget: number;
  readonly costOf: (value: V) => number;
  /** Milliseconds since 1970; default: the clock of this machine. */
  readonly now?: () => number;
}

/** Caches computed values for a limited time. Concurrent requests for a key share one computation. */
export class ExpiringCache<V> {
  readonly #options: ExpiringCacheOptions<V>;
  readonly #now: () => number;
  readonly #kept: Lru<Cached<V>>;
  readonly #making = new Map<string, Promise<Cached<V>>>();

  constructor(options: ExpiringCacheOptions<V>) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#kept = new Lru(options.budget);
  }

  /** Returns a cached or new value. Rejects like `make` for all waiting callers; failures are not cached. */
  async get(key: string, make: () => Promise<V>): Promise<Cached<V>> {
    const kept = this.#kept.get(key);
    if (kept && this.#now() - kept.madeAt < this.#options.lifetimeMs) return kept;
    const underWay = this.#making.get(key);
    if (underWay) return underWay;
    const making = this.#make(key, make).finally(() => this.#making.delete(key));
    this.#making.set(key, making);
    return making;
  }

  async #make(key: string, make: () => Promise<V>): Promise<Cached<V>> {
    const madeAt = this.#now();
    const value = await make();
    const kept = { value, madeAt };
    this.#kept.set(key, kept, this.#options.costOf(value) + key.length);
    return kept;
  }
}
