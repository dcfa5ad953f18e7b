interface Item<V> {
  readonly value: V;
  readonly cost: number;
}

interface Holder {
  readonly spent: number;
  dropOldest(): void;
}

/** What several maps may hold together. Where it is spent, the one that holds most gives up. */
export class Budget {
  readonly limit: number;
  readonly #holders: Holder[] = [];

  constructor(limit: number) {
    this.limit = limit;
  }

  join(holder: Holder): void {
    this.#holders.push(holder);
  }

  /** What all maps hold by now. */
  get spent(): number {
    return this.#holders.reduce((sum, { spent }) => sum + spent, 0);
  }

  /** Has maps give up what they hold beyond the limit. */
  keep(): void {
    while (this.spent > this.limit) {
      const [first, ...others] = this.#holders;
      if (!first) return;
      others.reduce((most, one) => (one.spent > most.spent ? one : most), first).dropOldest();
    }
  }
}

/** A map with a budget: what was used least recently goes first, what costs more than all of it never comes in. */
export class Lru<V> {
  readonly #items = new Map<string, Item<V>>();
  readonly #budget: Budget;
  #spent = 0;

  /** @param budget its own, or one that it shares */
  constructor(budget: number | Budget) {
    this.#budget = typeof budget === 'number' ? new Budget(budget) : budget;
    this.#budget.join(this);
  }

  /** What everything in it costs. */
  get spent(): number {
    return this.#spent;
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
    if (cost > this.#budget.limit) return;
    this.#items.set(key, { value, cost });
    this.#spent += cost;
    this.#budget.keep();
  }

  clear(): void {
    this.#items.clear();
    this.#spent = 0;
  }

  /** Gives up what was used least recently. */
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
