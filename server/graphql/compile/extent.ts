import { RequestError } from '../request-error.ts';

/** How far one operation may lead. */
export interface ExtentLimits {
  /** By relationships, their aggregates and computed fields in conditions and orderings. */
  readonly maxCrossings: number;
  /** Tables in all, with those that the rules of these tables lead to. */
  readonly maxTables: number;
}

/**
 * Subqueries of one condition that Postgres may join with its rows and each other. Joins find the few rows that a
 * selective subquery keeps, but planning many of them along equal columns takes seconds and hundreds of megabytes.
 * A subquery for one row by its key costs half as much, unless it stands within another one. Postgres 14 plans twenty
 * of these in 200 ms and fifty in seconds; Postgres 18 does so in milliseconds.
 */
const MAX_JOINED = 10;

/**
 * How often an operation leads to tables. Postgres plans each of them with the policies of its table, so that a few
 * kilobytes of a request can cost seconds and hundreds of megabytes before any row is read.
 */
export class Extent {
  readonly #limits: ExtentLimits;
  readonly #repeated = new Set<object>();
  #isRepeat = false;
  #path = '$';
  #crossings = 0;
  #tables = 0;
  #joined = 0;
  #level = 0;

  constructor(limits: ExtentLimits) {
    this.#limits = limits;
  }

  /** Compiles an argument; an error about its size names the path. */
  at<T>(path: string, compile: () => T): T {
    const before = this.#path;
    this.#path = path;
    try {
      return this.apart(compile);
    } finally {
      this.#path = before;
    }
  }

  /** Compiles a condition whose subqueries Postgres does not join with what is around it. */
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

  /** Compiles what several statements of one operation have in common: it is counted the first time alone. */
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

  /** Counts what conditions and orderings lead to. @throws RequestError for too many */
  cross(crossings: number, tables: number): void {
    if (this.#isRepeat) return;
    this.#crossings += crossings;
    const { maxCrossings } = this.#limits;
    if (this.#crossings > maxCrossings) {
      throw this.#tooMany(
        `the conditions and orderings of one operation may follow relationships, aggregates and computed fields ${maxCrossings} times in all; put conditions on one related row into one object, compare with lists (_in), or ask in several operations`,
      );
    }
    // Postgres may plan a subquery twice: to be run for each row, and once for all.
    this.read(2 * tables);
  }

  /** Counts tables that are read. @throws RequestError for too many */
  read(tables: number, path = this.#path): void {
    if (this.#isRepeat) return;
    this.#tables += tables;
    const { maxTables } = this.#limits;
    if (this.#tables <= maxTables) return;
    throw this.#tooMany(
      `one operation may read ${maxTables} tables, each field, alias and condition counted by itself, with the tables that the role's rules lead to; select fewer, or ask in several operations`,
      path,
    );
  }

  #tooMany(message: string, path = this.#path): RequestError {
    return new RequestError('node-limit-exceeded', message, path);
  }

  /** Tables that were counted. */
  get size(): number {
    return this.#tables;
  }
}
