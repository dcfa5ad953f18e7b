import { type SQL, sql } from 'postgraphile/pg-sql2';

/**
 * Compiles a text expression that fails with the mark in its message. SQL alone cannot raise an error, but a cast can
 * fail. The expression reads a value of the row, because the planner would evaluate a constant expression beforehand.
 */
export function failingCast(mark: string, value: SQL): SQL {
  return sql`pg_catalog.concat(${sql.literal(mark)}, ' ', ${value})::pg_catalog.int4::pg_catalog.text`;
}
