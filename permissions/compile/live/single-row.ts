import { ident, join, literal, type SqlText, sql } from '../../text/sql-text.ts';
import type { LiveTable, TableModel } from '../../types/tables.ts';

type Keyed = Pick<TableModel, 'primaryKey'>;

const text = sql`pg_catalog.text`;
const joined = sql`operator(pg_catalog.||)`;
/** The aliases of the row after and before the statement. */
const [now, before] = [ident('n'), ident('o')];

/**
 * Returns the values of the key columns of a single row, each as `column=value`, without nulls and repetitions. Null if
 * the table has no key columns.
 * @param versions the aliases of the versions of the row
 */
export function keysOfRow(
  { keys }: LiveTable,
  [first, second]: readonly [string, string?],
): SqlText {
  if (keys.length === 0) return sql`null`;
  const textOf = (version: string, column: string) =>
    sql`${literal(`${column}=`)} ${joined} ${ident(version)}.${ident(column)}::${text}`;
  const values = keys.flatMap((column) => {
    const value = textOf(first, column);
    if (second === undefined) return [value];
    return [value, sql`nullif(${textOf(second, column)}, ${value})`];
  });
  return sql`pg_catalog.array_remove(array[${join(values, ', ')}]::${text}[], null)`;
}

/** Returns a single inserted row for streams. */
export function insertedRow({ primaryKey }: Keyed): SqlText {
  return listed(keyOf(primaryKey), sql`null`);
}

/** Returns a single updated row for streams if its primary key is new or a cursor column has changed. */
export function movedRow({ primaryKey }: Keyed, { cursors }: LiveTable): SqlText {
  const moving = cursors.filter((column) => !primaryKey.includes(column));
  const differs = (column: string, type: SqlText) =>
    sql`${now}.${ident(column)}${type} is distinct from ${before}.${ident(column)}${type}`;
  const isMoved = moving.map((column) => differs(column, sql``));
  const isNew = primaryKey.map((column) => differs(column, sql`::${text} collate pg_catalog."C"`));
  const names = moving.map(
    (column, index) => sql`case when ${isMoved[index] ?? sql``} then ${literal(column)} end`,
  );
  const moved = sql`pg_catalog.array_remove(array[${join(names, ', ')}]::${text}[], null)`;
  const whenMoved = sql`when ${join(isMoved, ' or ')} then ${listed(keyOf(primaryKey), moved)}`;
  return sql`case when ${join(isNew, ' or ')} then ${insertedRow({ primaryKey })}
      ${moving.length > 0 ? whenMoved : sql``} else '[]' end`;
}

function keyOf(primaryKey: readonly string[]): SqlText {
  const values = primaryKey.map((column) => sql`${now}.${ident(column)}::${text}`);
  return sql`pg_catalog.json_build_array(${join(values, ', ')})`;
}

function listed(key: SqlText, moved: SqlText): SqlText {
  return sql`pg_catalog.json_build_array(pg_catalog.json_build_array(${key}, ${moved}))`;
}
