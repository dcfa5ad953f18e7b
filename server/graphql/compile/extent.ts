import { CrossingCounter } from '../limits/crossings.ts';
import { TableCounter } from '../limits/tables.ts';

/** Limits on the tables that one operation reads. */
export interface ExtentLimits {
  /** Maximum relationships, aggregates and computed fields that conditions and orderings may follow. */
  readonly maxCrossings: number;
  /** Maximum tables of one operation, including the tables that rules of these tables read. */
  readonly maxTables: number;
}

/**
 * Maximum subqueries of one condition that Postgres may join. Joins find rows quickly when a subquery is selective. But
 * planning many of them along equal columns takes seconds and hundreds of megabytes. A subquery that finds one row by
 * its key counts half, unless another subquery contains it. Postgres 14 plans twenty such subqueries in 200 ms and
 * fifty in seconds; Postgres 18 plans fifty in milliseconds.
 */
const MAX_JOINED = 10;

/**
 * Counts the tables and crossings of one operation. Postgres plans each table with its policies, so a request of a few
 * kilobytes can cost seconds and hundreds of megabytes before Postgres reads any row.
 */
export class Extent {
  readonly #crossings: CrossingCounter;
  readonly #tables: TableCounter;
  readonly #repeated = new Set<object>();
  #isRepeat = false;
  #path = '$';
  #joined = 0;
  #level = 0;

  constructor({ maxCrossings, maxTables }: ExtentLimits) {
    this.#crossings = new CrossingCounter(maxCrossings);
    this.#tables = new TableCounter(maxTables);
  }

  /** Compiles an argument. Errors about its size carry the path. */
  at<T>(path: string, compile: () => T): T {
    const before = this.#path;
    this.#path = path;
    try {
      return this.apart(compile);
    } finally {
      this.#path = before;
    }
  }

  /** Compiles a condition whose subqueries Postgres does not join with the surrounding query. */
  apart<T>(compile: () => T): T {
    const [joined, level] = [this.#joined, this.#level];
    this.#joined = 0;
    this.#level = 0;
    try {
      return compile();
    } finally {
      this.#joined = joined;
      this.#level = level;
    }
  }

  /** Compiles the condition of a subquery, and decides whether Postgres may join the subquery. */
  join<T>(
    leadsToOne: boolean,
    compile: () => T,
  ): { readonly condition: T; readonly isJoined: boolean } {
    this.#joined += leadsToOne && this.#level === 0 ? 0.5 : 1;
    if (this.#joined > MAX_JOINED) {
      return { condition: this.apart(compile), isJoined: false };
    }
    this.#level += 1;
    try {
      return { condition: compile(), isJoined: true };
    } finally {
      this.#level -= 1;
    }
  }

  /** Compiles a part that several statements of one operation share. Only its first compilation counts. */
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

  /** Counts the crossings and tables of a condition or an ordering. @throws RequestError when there are too many */
  cross(crossings: number, tables: number): void {
    if (this.#isRepeat) return;
    this.#crossings.add(crossings, this.#path);
    // Postgres may plan a subquery twice: once to run it for each row, once to run it for all rows together.
    this.read(2 * tables);
  }

  /** Counts tables that the operation reads. @throws RequestError when there are too many */
  read(tables: number, path = this.#path): void {
    if (!this.#isRepeat) this.#tables.add(tables, path);
  }

  /** Number of tables counted so far. */
  get size(): number {
    return this.#tables.total;
  }
}
