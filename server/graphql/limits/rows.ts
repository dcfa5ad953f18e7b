import { type SQL, sql } from 'postgraphile/pg-sql2';
import { RequestError } from '../request-error.ts';
import { failingCast } from './failing-cast.ts';

/** Part of the message of the error that Postgres raises for a list with too many rows. */
export const ROW_LIMIT_MARK = 'rowgate row limit';

/** Aggregates rows into `list`; raises an error in Postgres when there are more than `maxRows`. */
export function failAboveRows(list: SQL, maxRows: number): SQL {
  const count = sql`pg_catalog.count(*)`;
  return sql`case when ${count} operator(pg_catalog.>) ${sql.literal(maxRows)} then ${failingCast(ROW_LIMIT_MARK, count)}::pg_catalog.json else ${list} end`;
}

/** The error of a result with a list that has too many rows. */
export function rowLimit({ maxRows }: { readonly maxRows: number }): RequestError {
  return new RequestError(
    'row-limit-exceeded',
    `a list in the result has more than ${maxRows} rows; request fewer with "limit"`,
  );
}
