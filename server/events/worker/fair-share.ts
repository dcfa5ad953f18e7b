/**
 * Divides a limited number of places: each trigger may use half of the places that the other triggers do not use. A
 * trigger whose receiver does not answer occupies at most half of all places, and a second such trigger at most half of
 * the remaining places.
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

  /**
   * Returns how many jobs to fetch next: half of the free places, rounded up, so that the rest stays free for jobs of
   * other triggers; fewer when all of them could be jobs of a trigger that may take only a few more.
   */
  room(): number {
    const left = [...this.#taken.values()].map((taken) => this.#shareOf(taken) - taken);
    return Math.min(Math.ceil((this.#places - this.#total) / 2), ...left.filter((few) => few > 0));
  }

  /** Returns the triggers that already use all of their places. */
  saturated(): readonly string[] {
    return [...this.#taken]
      .filter(([, taken]) => taken >= this.#shareOf(taken))
      .map(([trigger]) => trigger);
  }

  /** Returns how many places a trigger may use that uses this many now: half of those that the others leave. */
  #shareOf(taken: number): number {
    return Math.ceil((this.#places - (this.#total - taken)) / 2);
  }
}
