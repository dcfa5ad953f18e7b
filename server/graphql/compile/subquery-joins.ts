/**
 * Maximum number of subqueries of one condition that Postgres may join. A join finds rows quickly when the subquery
 * matches few of them. But planning many joins along equal columns takes seconds and hundreds of megabytes. A subquery
 * that finds one row by its key counts half, unless another subquery contains it. Postgres 14 plans twenty such
 * subqueries in 200 ms and fifty in seconds; Postgres 18 plans fifty in milliseconds.
 */
const MAX_JOINED = 10;

/** Decides which subqueries of a condition Postgres may join. */
export class SubqueryJoins {
  #joined = 0;
  #level = 0;

  /**
   * Compiles a condition inside a subquery that Postgres does not join. The subqueries of this condition are counted
   * separately from those of the surrounding query.
   */
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
}
