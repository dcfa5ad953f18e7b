/**
 * Who may have more of a limited number of places: each trigger half of those that the others leave. A receiver that
 * hangs fills its half and no more, and so does the next one with what is left.
 */
export class FairShare {
  readonly #places: number;
  readonly #taken = new Map<string, number>();
  #total = 0;

  constructor(places: number) {
    this.#places = places;
  }

  get total(): number {
    return this.#total;
  }

  take(trigger: string): void {
    this.#taken.set(trigger, (this.#taken.get(trigger) ?? 0) + 1);
    this.#total += 1;
  }

  give(trigger: string): void {
    const left = (this.#taken.get(trigger) ?? 0) - 1;
    if (left > 0) this.#taken.set(trigger, left);
    else this.#taken.delete(trigger);
    this.#total -= 1;
  }

  /** How many may come at once: whoever they are of, others find room afterwards. */
  room(): number {
    return Math.ceil((this.#places - this.#total) / 2);
  }

  /** The triggers that have enough. */
  sated(): readonly string[] {
    return [...this.#taken]
      .filter(([, taken]) => taken >= (this.#places - (this.#total - taken)) / 2)
      .map(([trigger]) => trigger);
  }
}
