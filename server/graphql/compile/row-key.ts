import { type SQL, sql } from 'postgraphile/pg-sql2';
import type { ColumnView } from '../schema/view/column-view.ts';
import type { TableView } from '../schema/view/table-view.ts';
import { equality } from './fragments.ts';

type KeyColumn = Pick<ColumnView, 'column' | 'comparisons'>;

/** The columns of the primary key, by their names in the relation that the role reads (the table or a view). */
export function readKey(table: TableView): readonly KeyColumn[] {
  return table.model.primaryKey.map((name) => {
    const column = table.shown.get(name);
    if (!column) throw new Error(`${table.name}: the key column ${name} cannot be read`);
    return { ...column, column: table.joinColumns.get(name) ?? name };
  });
}

/** The condition that two rows have the same primary key, and so are the same row. */
export function sameKey(key: readonly KeyColumn[], row: SQL, other: SQL): SQL {
  const pairs = key.map((column) => {
    const name = sql.identifier(column.column);
    return sql`${row}.${name} ${equality(column)} ${other}.${name}`;
  });
  return sql.join(pairs, ' and ');
}
