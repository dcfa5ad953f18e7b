import type { FieldNode } from 'postgraphile/graphql';
import { type SQL, sql } from 'postgraphile/pg-sql2';
import { failAboveRows } from '../../limits/rows.ts';
import type { Compilation } from '../compilation.ts';
import { newAlias } from '../fragments.ts';
import { compileRow } from '../rows.ts';
import { jsonList } from './json-list.ts';
import { compileSource, type ListRequest, limitClause } from './list-source.ts';

/**
 * Compiles a list of rows as JSON. Nested lists are correlated subqueries, because under row security Postgres would
 * not use indexes for joins.
 */
export function compileList(
  compilation: Compilation,
  request: ListRequest & { readonly nodes: readonly FieldNode[] },
): SQL {
  const { maxRows } = compilation.options;
  const source = compileSource(compilation, request);
  const { compiled: row, rows: inside } = compilation.countRows(() =>
    compileRow(compilation, request),
  );
  const subquery = newAlias();
  const rowLimit = smallest(source.limit, request.table.select.limit);
  const isOpen = rowLimit === undefined || rowLimit > maxRows;
  const limit = limitClause(isOpen ? maxRows + 1 : rowLimit);
  const rows = sql`(select ${source.distinct}${row.columns}${source.rows}${source.order}${limit}${source.offset}) ${subquery}`;
  const listRows = (isOpen ? maxRows : rowLimit) * (1 + inside);
  compilation.addRows(listRows);
  const options = { maxBytes: compilation.options.maxBytes, maxRows: listRows };
  const { list, source: values } = jsonList(row.json(subquery), rows, options);
  return sql`(select ${isOpen ? failAboveRows(list, maxRows) : list} from ${values})`;
}

function smallest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}
