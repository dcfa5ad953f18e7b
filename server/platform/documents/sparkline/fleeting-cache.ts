import { Lru } from '../../../lru.ts';

/** A value, and since when it stands. */
export interface Kept<V> {
  readonly value: V;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
}

export interface FleetingCacheOptions<V> {
  readonly lifetimeMs: number;
  /** Of all values together, as `costOf` counts. */
  readonly budget: number;
  readonly costOf: (value: V) => number;
  /** Milliseconds since 1970; default: the clock of this machine. */
  readonly now?: () => number;
}

/** Keeps what is costly to make for a while. Those who want the same at the same time share one making. */
export class FleetingCache<V> {
  readonly #options: FleetingCacheOptions<V>;
  readonly #now: () => number;
  readonly #kept: Lru<Kept<V>>;
  readonly #making = new Map<string, Promise<Kept<V>>>();

  constructor(options: FleetingCacheOptions<V>) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#kept = new Lru(options.budget);
  }

  /** Rejects as `make` does, for all who wait for it; a failure is not kept. */
  async get(key: string, make: () => Promise<V>): Promise<Kept<V>> {
    const kept = this.#kept.get(key);
    if (kept && this.#now() - kept.madeAt < this.#options.lifetimeMs) return kept;
    const underWay = this.#making.get(key);
    if (underWay) return underWay;
    const making = this.#make(key, make).finally(() => this.#making.delete(key));
    this.#making.set(key, making);
    return making;
  }

  async #make(key: string, make: () => Promise<V>): Promise<Kept<V>> {
    const madeAt = this.#now();
    const value = await make();
    const kept = { value, madeAt };
    this.#kept.set(key, kept, this.#options.costOf(value) + key.length);
    return kept;
  }
}
