import type pg from 'pg';

/**
 * Returns the line of a test whose statement exceeded a time limit.
 * @param remedy where the limit is set
 */
export function stoppedLine({ message }: pg.DatabaseError, remedy: string): string {
  return `Postgres stopped a statement (${message}), so the test shows nothing; ${remedy}, or make the rule faster`;
}

/** Where the time limit of statements in SQL is set. */
export const loginLimit = 'raise statement_timeout of the login in DATABASE_URL';
