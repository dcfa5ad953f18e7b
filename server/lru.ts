interface Item<V> {
  readonly value: V;
  readonly cost: number;
}

interface Holder {
  readonly spent: number;
  dropOldest(): void;
}

/**
 * Limits the total cost of several maps. Above the limit, the map with the highest cost drops its least recently used
 * items.
 */
export class Budget {
  readonly limit: number;
  readonly #holders: Holder[] = [];

  constructor(limit: number) {
    this.limit = limit;
  }

  join(holder: Holder): void {
    this.#holders.push(holder);
  }

  /** The total cost of all maps. */
  get spent(): number {
    return this.#holders.reduce((sum, { spent }) => sum + spent, 0);
  }

  /** Drops items until the total cost is within the limit. */
  enforce(): void {
    while (this.spent > this.limit) {
      const [first, ...others] = this.#holders;
      if (!first) return;
      others.reduce((max, one) => (one.spent > max.spent ? one : max), first).dropOldest();
    }
  }
}

/** A least-recently-used map with a budget. An item that costs more than the whole budget is not stored. */
export class Lru<V> {
  readonly #items = new Map<string, Item<V>>();
  readonly #budget: Budget;
  #spent = 0;
  /** The key at the end of `#items`. */
  #newest: string | undefined;

  /** @param budget its own limit, or a budget that several maps share */
  constructor(budget: number | Budget) {
    this.#budget = typeof budget === 'number' ? new Budget(budget) : budget;
    this.#budget.join(this);
  }

  /** The cost of all items of this map. */
  get spent(): number {
    return this.#spent;
  }

  get(key: string): V | undefined {
    const item = this.#items.get(key);
    if (item === undefined) return undefined;
    if (key !== this.#newest) {
      this.#items.delete(key);
      this.#items.set(key, item);
      this.#newest = key;
    }
    return item.value;
  }

  set(key: string, value: V, cost: number): void {
    this.#delete(key);
    if (cost > this.#budget.limit) return;
    this.#items.set(key, { value, cost });
    this.#newest = key;
    this.#spent += cost;
    this.#budget.enforce();
  }

  clear(): void {
    this.#items.clear();
    this.#spent = 0;
  }

  /** Drops the least recently used item. */
  dropOldest(): void {
    const [oldest] = this.#items.keys();
    if (oldest !== undefined) this.#delete(oldest);
  }

  #delete(key: string): void {
    const item = this.#items.get(key);
    if (item === undefined) return;
    this.#items.delete(key);
    this.#spent -= item.cost;
  }
}
