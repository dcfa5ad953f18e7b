/**
 * What was asked for lately. Kept in two halves, of which the older one is let go when the newer one is full: unlike a
 * list in the order of use, reading it costs one look-up.
 */
export class Recent<V> {
  readonly #half: number;
  #newer = new Map<string, V>();
  #older = new Map<string, V>();

  /** Keeps at most twice as many. */
  constructor(half: number) {
    this.#half = half;
  }

  get(key: string, make: (key: string) => V): V {
    const known = this.#newer.get(key);
    if (known !== undefined) return known;
    const value = this.#older.get(key) ?? make(key);
    if (this.#newer.size >= this.#half) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(key, value);
    return value;
  }
}
