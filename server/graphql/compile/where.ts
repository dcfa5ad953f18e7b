import { type SQL, sql } from 'postgraphile/pg-sql2';
import type { ComputedRowsView } from '../view/computed-view.ts';
import type { TableView } from '../view/role-view.ts';
import { compileComparison } from './comparison.ts';
import type { Compilation } from './compilation.ts';
import { compileCall, compileValue } from './computed.ts';
import { cell, from, joined, newAlias } from './fragments.ts';
import type { Input } from './input.ts';

/** A `where` argument as a condition on the rows of `alias`. */
export function compileWhere(
  compilation: Compilation,
  table: TableView,
  alias: SQL,
  where: Input,
): SQL {
  const nested = (input: Input) => compileWhere(compilation, table, alias, input);
  const parts = where.fields().map(([name, input]) => {
    if (name === '_and') return combine(input.items().map(nested), ' and ', sql`true`);
    if (name === '_or') return combine(input.items().map(nested), ' or ', sql`false`);
    if (name === '_not') return sql`not ${nested(input)}`;
    const column = table.columns.get(name);
    if (column) return compileComparison(column, cell(alias, table, name), input);
    const value = table.computed.get(name);
    if (value)
      return compileComparison(value, compileValue(compilation, table, alias, value), input);
    const rows = table.computedRows.get(name);
    if (rows)
      return computedRows(compilation, compileCall(compilation, table, alias, rows), rows, input);
    return related(compilation, table, alias, name, input);
  });
  return combine(parts, ' and ', sql`true`);
}

function combine(parts: readonly SQL[], separator: ' and ' | ' or ', empty: SQL): SQL {
  return parts.length === 0 ? empty : sql`(${sql.join([...parts], separator)})`;
}

// Row security of the remote table holds here too: what the role cannot see does not count.
function related(
  compilation: Compilation,
  table: TableView,
  alias: SQL,
  name: string,
  input: Input,
): SQL {
  const relationship = table.relationships.get(name);
  if (!relationship) throw new Error(`${table.name} has neither column nor relationship ${name}`);
  const remote = relationship.table();
  compilation.use(remote.select);
  const other = newAlias();
  const condition = compilation.related(() => compileWhere(compilation, remote, other, input));
  return sql`exists (select from ${from(remote, other)} where ${joined(relationship, alias, other)} and ${condition})`;
}

function computedRows(
  compilation: Compilation,
  call: SQL,
  rows: ComputedRowsView,
  input: Input,
): SQL {
  const table = rows.table();
  compilation.use(table.select);
  const other = newAlias();
  const condition = compilation.related(() => compileWhere(compilation, table, other, input));
  return sql`exists (select from ${call} ${other} where ${condition})`;
}
