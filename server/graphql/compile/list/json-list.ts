import { type SQL, sql } from 'postgraphile/pg-sql2';
import { SIZE_LIMIT_MARK } from '../../limits/answer-bytes.ts';
import { failingCast } from '../../limits/failing-cast.ts';
import { newAlias, TEXT } from '../fragments.ts';

/**
 * Maximum rows for which a list needs no size check. Even with wide rows, such a list fits into the memory of a backend
 * process.
 */
const UNCHECKED_ROWS = 200;

export interface JsonListOptions {
  /** Maximum bytes of the list. */
  readonly maxBytes: number;
  /** Maximum rows of the list, including the rows of lists inside it. */
  readonly maxRows: number;
}

/** An expression for a `select` list, and the `from` item that it reads. */
export interface JsonList {
  readonly list: SQL;
  readonly source: SQL;
}

/**
 * Builds a list with one JSON value for each row. Postgres adds up the lengths and stops as soon as the sum is too
 * large. Otherwise Postgres would hold the whole list in memory, and many times as much for nested lists.
 */
export function jsonList(value: SQL, rows: SQL, options: JsonListOptions): JsonList {
  const { maxBytes, maxRows } = options;
  if (maxRows <= UNCHECKED_ROWS) return { list: aggregated(value), source: rows };
  const [one, summed, checked] = [newAlias(), newAlias(), newAlias()];
  // `offset 0` prevents the planner from computing a value twice: once for its length and once for the result.
  const values = sql`(select ${value} as value from ${rows} offset 0) ${one}`;
  const bytes = sql`pg_catalog.sum(pg_catalog.octet_length(${one}.value${TEXT})) over (rows between unbounded preceding and current row)`;
  const sums = sql`(select ${one}.value, ${bytes} as bytes from ${values}) ${summed}`;
  const tooLong = failingCast(SIZE_LIMIT_MARK, sql`${summed}.bytes`);
  const checks = sql`case when ${summed}.bytes operator(pg_catalog.>) ${sql.literal(maxBytes)} then ${tooLong}::pg_catalog.json else ${summed}.value end`;
  return {
    list: aggregated(sql`${checked}.value`),
    source: sql`(select ${checks} as value from ${sums}) ${checked}`,
  };
}

function aggregated(value: SQL): SQL {
  return sql`coalesce(pg_catalog.json_agg(${value}), '[]'::pg_catalog.json)`;
}
