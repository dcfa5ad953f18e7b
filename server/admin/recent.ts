interface Item<T> {
  readonly made: Promise<T>;
  /** The time from which the value is made again, in milliseconds since 1970; absent while it is being made. */
  until?: number;
}

/** Values that are shared by key for a short time. A value that is being made is shared until it is there. */
export class Recent<T> {
  readonly #items = new Map<string, Item<T>>();
  readonly #freshMs: number;

  /** @param freshMs the time for which a value is shared, from the beginning of its making */
  constructor(freshMs: number) {
    this.#freshMs = freshMs;
  }

  /** Makes all values again when they are asked for. */
  forget(): void {
    this.#items.clear();
  }

  /** Returns the value of the key, and makes it if there is no recent one. A failure is not shared with later calls. */
  get(key: string, make: () => Promise<T>): Promise<T> {
    const now = Date.now();
    for (const [other, { until }] of this.#items) {
      if (until !== undefined && until <= now) this.#items.delete(other);
    }
    const known = this.#items.get(key);
    if (known) return known.made;
    const item: Item<T> = { made: make() };
    this.#items.set(key, item);
    item.made.then(
      () => {
        item.until = now + this.#freshMs;
      },
      () => this.#items.delete(key),
    );
    return item.made;
  }
}
