interface Item<V> {
  readonly value: V;
  readonly cost: number;
}

/** A map with a budget: what was used least recently goes first, what costs more than all of it never comes in. */
export class Lru<V> {
  readonly #items = new Map<string, Item<V>>();
  readonly #budget: number;
  #spent = 0;

  constructor(budget: number) {
    this.#budget = budget;
  }

  get(key: string): V | undefined {
    const item = this.#items.get(key);
    if (item === undefined) return undefined;
    this.#items.delete(key);
    this.#items.set(key, item);
    return item.value;
  }

  set(key: string, value: V, cost: number): void {
    this.#delete(key);
    if (cost > this.#budget) return;
    this.#items.set(key, { value, cost });
    this.#spent += cost;
    for (const oldest of this.#items.keys()) {
      if (this.#spent <= this.#budget) return;
      this.#delete(oldest);
    }
  }

  clear(): void {
    this.#items.clear();
    this.#spent = 0;
  }

  #delete(key: string): void {
    const item = this.#items.get(key);
    if (item === undefined) return;
    this.#items.delete(key);
    this.#spent -= item.cost;
  }
}
