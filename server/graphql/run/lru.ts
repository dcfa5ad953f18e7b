/** A map that forgets what was used least recently. */
export class Lru<V> {
  readonly #items = new Map<string, V>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): V | undefined {
    const value = this.#items.get(key);
    if (value === undefined) return undefined;
    this.#items.delete(key);
    this.#items.set(key, value);
    return value;
  }

  set(key: string, value: V): void {
    this.#items.set(key, value);
    if (this.#items.size <= this.#limit) return;
    const [oldest] = this.#items.keys();
    if (oldest !== undefined) this.#items.delete(oldest);
  }

  clear(): void {
    this.#items.clear();
  }
}
