import { CrossingCounter } from './crossings.ts';
import { TableCounter } from './tables.ts';

/** Limits on the tables that one operation reads. */
export interface CountLimits {
  /** Maximum relationships, aggregates and computed fields that conditions and orderings may follow. */
  readonly maxCrossings: number;
  /** Maximum tables of one operation, including the tables that rules of these tables read. */
  readonly maxTables: number;
}

/**
 * Counts the tables and crossings of one operation. A crossing is a relationship, aggregate or computed field that a
 * condition or an ordering follows. Postgres plans each table with its policies, so a request of a few kilobytes can
 * cost seconds and hundreds of megabytes before Postgres reads any row.
 */
export class OperationCounter {
  readonly #crossings: CrossingCounter;
  readonly #tables: TableCounter;
  readonly #repeated = new Set<object>();
  #isRepeat = false;
  #path = '$';

  constructor({ maxCrossings, maxTables }: CountLimits) {
    this.#crossings = new CrossingCounter(maxCrossings);
    this.#tables = new TableCounter(maxTables);
  }

  /** Compiles an argument. Errors about the size of the argument contain the path. */
  at<T>(path: string, compile: () => T): T {
    const before = this.#path;
    this.#path = path;
    try {
      return compile();
    } finally {
      this.#path = before;
    }
  }

  /**
   * Compiles a part that several statements of one operation share. `key` identifies the part. Only the first
   * compilation counts, because the limits apply to the text of the client.
   */
  once<T>(key: object | undefined, compile: () => T): T {
    const before = this.#isRepeat;
    if (key) {
      this.#isRepeat ||= this.#repeated.has(key);
      this.#repeated.add(key);
    }
    try {
      return compile();
    } finally {
      this.#isRepeat = before;
    }
  }

  /**
   * Counts the crossings and tables of a condition or an ordering.
   * @throws RequestError when the operation has too many
   */
  cross(crossings: number, tables: number): void {
    if (this.#isRepeat) return;
    this.#crossings.add(crossings, this.#path);
    // Postgres may plan a subquery twice: once to run it for each row, once to run it for all rows together.
    this.read(2 * tables);
  }

  /**
   * Counts tables that the operation reads.
   * @throws RequestError when the operation has too many
   */
  read(tables: number, path = this.#path): void {
    if (!this.#isRepeat) this.#tables.add(tables, path);
  }

  /** Number of tables counted so far. */
  get size(): number {
    return this.#tables.total;
  }
}
