import type pg from 'pg';

/** What is done for all organizations may take longer than what somebody waits for. */
const timeoutMs = 10 * 60 * 1000;

/** The one value that a function of the database returns, in a transaction of its own. */
export async function ask<T>(
  pool: pg.Pool,
  text: string,
  values: readonly unknown[] = [],
): Promise<T> {
  // pg reads it of a query too, which its types do not know.
  const query: pg.QueryConfig & { readonly query_timeout: number } = {
    text: `select ${text} as answer`,
    values: [...values],
    query_timeout: timeoutMs,
  };
  const { rows } = await pool.query<{ readonly answer: T }>(query);
  const [row] = rows;
  if (!row) throw new Error(`${text} returned no row`);
  return row.answer;
}
