import { RequestError } from '../request-error.ts';

/**
 * Counts the crossings of one operation: how often its conditions and orderings follow a relationship, an aggregate of
 * related rows or a computed field. For each crossing, Postgres plans a further subquery.
 */
export class CrossingCounter {
  readonly #maxCrossings: number;
  #crossings = 0;

  constructor(maxCrossings: number) {
    this.#maxCrossings = maxCrossings;
  }

  /**
   * Adds crossings.
   * @throws RequestError with the path when the operation has too many
   */
  add(crossings: number, path: string): void {
    this.#crossings += crossings;
    if (this.#crossings <= this.#maxCrossings) return;
    const message = `the conditions and orderings of one operation may follow relationships, aggregates and computed fields ${this.#maxCrossings} times in all; put conditions on one related row into one object, compare with lists (_in), or split it into several operations`;
    throw new RequestError('node-limit-exceeded', message, path);
  }
}
