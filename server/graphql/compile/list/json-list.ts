import { type SQL, sql } from 'postgraphile/pg-sql2';
import { SIZE_LIMIT_MARK } from '../../limits/answer-bytes.ts';
import { failingCast } from '../../limits/failing-cast.ts';
import { newAlias, TEXT } from '../fragments.ts';

/** Rows of which a list is made without a check: even wide ones take no more memory than a backend may have. */
const UNCHECKED_ROWS = 200;

export interface JsonListOptions {
  /** Bytes that the list may have. */
  readonly maxBytes: number;
  /** Rows that it has at most, with those of lists inside of them. */
  readonly maxRows: number;
}

/** An expression to select, and what it is selected from. */
export interface JsonList {
  readonly list: SQL;
  readonly source: SQL;
}

/**
 * A list of JSON values, one for each of the rows. Their lengths are added up on the way, so that Postgres stops as soon
 * as they are too long: of a whole list it would hold all of it, of lists in lists many times as much.
 */
export function jsonList(value: SQL, rows: SQL, options: JsonListOptions): JsonList {
  const { maxBytes, maxRows } = options;
  if (maxRows <= UNCHECKED_ROWS) return { list: aggregated(value), source: rows };
  const [one, summed, checked] = [newAlias(), newAlias(), newAlias()];
  // `offset 0` keeps the planner from computing a value once for its length and once more for itself.
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
