/**
 * What was asked for lately. Kept in two halves, of which the older one is let go when the newer one is full: unlike a
 * list in the order of use, reading it costs one look-up. Bounded by the characters of the keys, since what is made of a
 * long text takes as much more room.
 */
export class RecentCache<V> {
  readonly #half: number;
  #characters = 0;
  #newer = new Map<string, V>();
  #older = new Map<string, V>();

  /** Keeps at most twice as many characters; what is longer than these is made each time. */
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
