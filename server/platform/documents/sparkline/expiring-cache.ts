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
  readonly #cached: Lru<Cached<V>>;
  readonly #making = new Map<string, Promise<Cached<V>>>();

  constructor(options: ExpiringCacheOptions<V>) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#cached = new Lru(options.budget);
  }

  /** Returns a cached or new value. Rejects like `make` for all waiting callers; failures are not cached. */
  async get(key: string, make: () => Promise<V>): Promise<Cached<V>> {
    const cached = this.#cached.get(key);
    if (cached && this.#now() - cached.madeAt < this.#options.lifetimeMs) return cached;
    const underWay = this.#making.get(key);
    if (underWay) return underWay;
    const making = this.#make(key, make).finally(() => this.#making.delete(key));
    this.#making.set(key, making);
    return making;
  }

  async #make(key: string, make: () => Promise<V>): Promise<Cached<V>> {
    const madeAt = this.#now();
    const value = await make();
    const cached = { value, madeAt };
    this.#cached.set(key, cached, this.#options.costOf(value) + key.length);
    return cached;
  }
}
