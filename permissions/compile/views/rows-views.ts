import type { PrintScope } from '../../expressions/print-comparison.ts';
import { printRule } from '../../expressions/print-expression.ts';
import { filterColumns } from '../../expressions/reads.ts';
import { isByCell } from '../../model/computed-fields/computed-reach.ts';
import { grantObject } from '../../objects/grant.ts';
import { type DesiredObject, label } from '../../objects/state/state-object.ts';
import { viewObject } from '../../objects/view.ts';
import { apiSchema, rowsViewName } from '../../text/object-names.ts';
import { ident, join, qualified, sql } from '../../text/sql-text.ts';
import type { RoleModel, TablePermissions } from '../../types/model.ts';
import type { SelectRule } from '../../types/rules.ts';
import type { TableModel } from '../../types/tables.ts';
import { computedCells, type ViewName } from './computed-views.ts';
import { joinedCells, visibleCells } from './visible-cells.ts';

/**
 * The view by which a role reads a table: where only some rows show a column, which no grant can say, and where the
 * table is itself a view, which knows no row security. Undefined where it reads the table, or may not read it.
 */
export function rowsView(role: RoleModel, table: TableModel): ViewName | undefined {
  const select = role.tables.get(table.key)?.select;
  if (!select || (!table.view && !isByCell(select))) return undefined;
  return { schema: apiSchema, name: rowsViewName(role.postgresName, table.key) };
}

/** The view that rowsView names and its role's right to read it. It belongs to the role of the policy views. */
export function rowsViewObjects(
  role: RoleModel,
  table: TableModel,
  scope: PrintScope & { readonly policyRole: string },
): readonly DesiredObject[] {
  const name = rowsView(role, table);
  const rules = role.tables.get(table.key);
  const select = rules?.select;
  if (!name || !select) return [];
  const row = ident('r');
  const cells = [
    ...visibleCells(select, rules.hiddenKeys, table, row, scope),
    ...computedCells(select, table, row, scope),
    ...joinedCells(select, rules.joinCells, table, row, scope),
  ];
  const where = printRule(select.filter, table, scope, row).text;
  const query = sql`select ${join(cells, ', ')} from ${qualified(table)} as ${row} where ${where}`;
  scope.views.read(table, columnsRead(rules, select, table));
  const view = viewObject({
    name,
    label: `view ${name.name} of the rows of ${label(table)} for ${role.name}`,
    owner: scope.policyRole,
    query,
    position: select.position,
  });
  const reader = { privilege: 'SELECT', on: name, to: role.postgresName } as const;
  return [view, grantObject({ ...reader, position: select.position })];
}

/** Columns of the table that its rows view reads anywhere; a function is given the whole row. */
function columnsRead(
  { hiddenKeys, joinCells }: TablePermissions,
  select: SelectRule,
  table: TableModel,
): readonly string[] {
  if (select.computedFields.length > 0) return [...table.columns.keys()];
  const conditions = [select.filter, ...select.cells.values(), ...joinCells.values()];
  return [...select.columns, ...hiddenKeys, ...conditions.flatMap(filterColumns)];
}
