import { type SQL, sql } from 'postgraphile/pg-sql2';
import { RequestError } from '../../request-error.ts';
import type { ColumnView } from '../../schema/view/column-view.ts';
import { followedBy } from '../../schema/view/relationship-view.ts';
import type { TableView } from '../../schema/view/table-view.ts';
import type { Compilation } from '../compilation.ts';
import { from, newAlias } from '../fragments.ts';
import type { Input } from '../input/input.ts';
import { sameKey } from '../row-key.ts';
import { compileWhere } from '../where/where.ts';

/**
 * A column mask hides the value of a column in some rows. A role with masked columns reads the table through a view
 * that applies the masks. The role writes the table itself, where it may read only columns that are masked in no row.
 * To use masked columns in a write, the statement joins the table with the view by the primary key.
 */

/** Compiles a condition on the rows of a table that the statement writes. @throws RequestError */
export function writeCondition(
  compilation: Compilation,
  table: TableView,
  alias: SQL,
  where: Input,
  path: string,
): SQL {
  const compileOn = (row: SQL) =>
    compilation.atArgument(path, () => compileWhere(compilation, table, row, where));
  if (!readsMasked(table, where)) return compileOn(alias);
  const other = newAlias();
  const condition = compileOn(other);
  return sql`exists (select from ${from(table, other)} where ${sameKey(writtenKey(table, path), alias, other)} and ${condition})`;
}

/**
 * Selects written rows as the role sees them, with column masks applied. `rows` returns the keys of the rows and
 * determines their order.
 * @throws RequestError
 */
export function visibleRows(table: TableView, rows: SQL, path: string): SQL {
  const [row, visible] = [newAlias(), newAlias()];
  const key = writtenKey(table, path);
  let name = '~';
  while (key.some(({ column }) => column === name)) name += '~';
  const place = sql.identifier(name);
  const numbered = sql`(select *, pg_catalog.row_number() over () as ${place} from ${rows} ${newAlias()})`;
  return sql`(select ${visible}.* from ${numbered} ${row} join ${from(table, visible)} on ${sameKey(key, row, visible)} order by ${row}.${place})`;
}

/**
 * The columns of the primary key.
 * @throws RequestError when one of them is masked
 */
export function writtenKey(
  { name, model, readable }: TableView,
  path: string,
): readonly ColumnView[] {
  const key = model.primaryKey.flatMap((column) => readable.get(column) ?? []);
  if (key.length > 0 && key.length === model.primaryKey.length) return key;
  throw new RequestError(
    'not-supported',
    `masked columns of ${name} can be used in a write only if its primary key is not masked`,
    path,
  );
}

/** Returns true if a field needs a column that the role may read only through the view with the column masks. */
export function isMasked(table: TableView, name: string): boolean {
  if (!table.rows) return false;
  const isHidden = (column: string) => !table.readable.has(column);
  const column = table.columns.get(name);
  if (column) return isHidden(column.column);
  const computed = table.computed.get(name);
  if (computed?.source.kind === 'column') return true;
  if (computed || table.computedRows.has(name)) return table.model.primaryKey.some(isHidden);
  const relationship = followedBy(table, name);
  return relationship?.columns.some(({ local }) => isHidden(local)) === true;
}

function readsMasked(table: TableView, where: Input): boolean {
  return where.fields().some(([name, value]) => {
    if (name === '_and' || name === '_or')
      return value.items().some((item) => readsMasked(table, item));
    return name === '_not' ? readsMasked(table, value) : isMasked(table, name);
  });
}
