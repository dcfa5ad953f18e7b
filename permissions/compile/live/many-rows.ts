import { ident, join, literal, type SqlText, sql } from '../../text/sql-text.ts';
import type { LiveTable, TableModel } from '../../types/tables.ts';

/** Maximum number of values of one key column that a statement records. */
const maxValues = sql`1000`;
/** Maximum number of rows for streams that a statement records. */
const maxRows = sql`10000`;

const text = sql`pg_catalog.text`;
const equals = sql`operator(pg_catalog.=)`;

/**
 * Returns the distinct values of the key columns, each as `column=value`. `column*` takes the place of too many values.
 * Null if that is so for every key column. A null value is left out, because it equals no value of a subscription.
 * @param rows the names of the transition tables
 */
export function keysOfRows({ keys }: LiveTable, rows: readonly string[]): SqlText {
  if (keys.length === 0) return sql`null`;
  const all = keys.map((column) => literal(`${column}*`));
  const lists = keys.map((column) => valuesOf(column, rows));
  return sql`nullif(${join(lists, ' operator(pg_catalog.||) ')}, array[${join(all, ', ')}]::${text}[])`;
}

function valuesOf(column: string, rows: readonly string[]): SqlText {
  const values = rows.map((from) => sql`select r.${ident(column)} as value from ${ident(from)} r`);
  return sql`(select case when pg_catalog.count(*) operator(pg_catalog.>) ${maxValues} then array[${literal(`${column}*`)}]::${text}[]
      else coalesce(pg_catalog.array_agg(${literal(`${column}=`)} operator(pg_catalog.||) v.value::${text}), '{}') end
      from (select distinct c.value from (${join(values, ' union all ')}) c where c.value is not null limit ${maxValues} operator(pg_catalog.+) 1) v)`;
}

/** Returns every inserted row with its primary key. Null if the rows are too many. */
export function insertedRows({ primaryKey }: TableModel): SqlText {
  const key = primaryKey.map((column) => sql`r.${ident(column)}::${text}`);
  return listed(sql`select ${jsonArray(key)} as key, null::${text}[] as moved from rowgate_new r`);
}

/**
 * Returns the updated rows whose primary key is new or whose cursor columns changed. The old and the new version of a row
 * meet by grouping: a join that Postgres plans for few rows would be slow for thousands. Cursor columns are never null.
 */
export function movedRows({ primaryKey }: TableModel, { cursors }: LiveTable): SqlText {
  const moving = cursors.filter((column) => !primaryKey.includes(column));
  const keys = primaryKey.map((_, index) => sql`u.${ident(`key ${index}`)}`);
  const isMoved = moving.map((_, index) => {
    const column = sql`u.${ident(`cursor ${index}`)}`;
    return sql`pg_catalog.min(${column}) operator(pg_catalog.<>) pg_catalog.max(${column})`;
  });
  const columns = [
    ...primaryKey.map(
      (column, index) =>
        sql`r.${ident(column)}::${text} collate pg_catalog."C" as ${ident(`key ${index}`)}`,
    ),
    ...moving.map((column, index) => sql`r.${ident(column)} as ${ident(`cursor ${index}`)}`),
  ];
  const version = (from: SqlText, isNew: SqlText) =>
    sql`select ${join(columns, ', ')}, ${isNew} as is_new from ${from} r`;
  const names = moving.map(
    (column, index) => sql`case when ${isMoved[index] ?? sql``} then ${literal(column)} end`,
  );
  const moved = sql`pg_catalog.array_remove(array[${join(names, ', ')}]::${text}[], null)`;
  const isNew = sql`pg_catalog.count(*) ${equals} 1`;
  return listed(sql`select ${jsonArray(keys)} as key, case when pg_catalog.count(*) ${equals} 2 then ${moved} end as moved
      from (${version(sql`rowgate_new`, sql`true`)} union all ${version(sql`rowgate_old`, sql`false`)}) u
      group by ${join(keys, ', ')}
      having pg_catalog.bool_or(u.is_new) and (${join([isNew, ...isMoved], ' or ')})`);
}

function jsonArray(values: readonly SqlText[]): SqlText {
  return sql`pg_catalog.json_build_array(${join(values, ', ')})`;
}

/** Makes a JSON array of rows with `key` and `moved`. Null if the rows are too many. */
function listed(rows: SqlText): SqlText {
  return sql`(select case when pg_catalog.count(*) operator(pg_catalog.<=) ${maxRows}
      then coalesce(pg_catalog.json_agg(pg_catalog.json_build_array(m.key, m.moved)), '[]') end
      from (${rows} limit ${maxRows} operator(pg_catalog.+) 1) m)`;
}
