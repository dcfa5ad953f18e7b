/**
 * A cache of recently used values. The cache has two halves; when the newer half is full, it replaces the older one.
 * Unlike in a least-recently-used list, a hit costs only one look-up. The characters of the keys limit the size,
 * because a value is about as large as its key.
 */
export class RecentCache<V> {
  readonly #half: number;
  #characters = 0;
  #newer = new Map<string, V>();
  #older = new Map<string, V>();

  /** @param half maximum characters of the keys in each half; values of longer keys are not stored */
  constructor(half: number) {
    this.#half = half;
  }

  get(key: string, make: (key: string) => V): V {
    const known = this.#newer.get(key);
    if (known !== undefined) return known;
    const value = this.#older.get(key) ?? make(key);
    if (key.length > this.#half) return value;
    if (this.#characters + key.length > this.#half) this.#age();
    this.#newer.set(key, value);
    this.#characters += key.length;
    return value;
  }

  #age(): void {
    this.#older = this.#newer;
    this.#newer = new Map();
    this.#characters = 0;
  }
}
