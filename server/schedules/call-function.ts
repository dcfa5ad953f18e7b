import type pg from 'pg';

/**
 * Maximum time of a statement of a job. Jobs process the rows of all organizations, so their statements take longer
 * than those of requests.
 */
const timeoutMs = 10 * 60 * 1000;

/** Calls a database function in its own transaction and returns its result. @param text the call, with placeholders */
export async function callFunction<T>(
  pool: pg.Pool,
  text: string,
  values: readonly unknown[] = [],
): Promise<T> {
  // pg supports this option per query, but its types do not include it.
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
