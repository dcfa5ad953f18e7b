import type { TableAccess } from '../../access/table-access.ts';
import { filterColumns } from '../../expressions/dependencies.ts';
import { printRule } from '../../expressions/print/print-expression.ts';
import { grantObject } from '../../objects/privileges/grant.ts';
import { label } from '../../objects/state/state-object.ts';
import { viewObject } from '../../objects/view.ts';
import { ident, join, qualified, sql } from '../../text/sql-text.ts';
import type { TablePermissions } from '../../types/model.ts';
import type { SelectRule } from '../../types/rules.ts';
import type { TableModel } from '../../types/tables.ts';
import { type Compiled, type CompileScope, nothing } from '../compiled.ts';
import { computedColumns } from './computed-columns.ts';
import { maskedColumns } from './masked-columns.ts';

/**
 * Returns the rows view, through which a role reads a table, and the role's right to read the view. The policy role
 * owns the view, so the row security of the reading role does not apply inside the view.
 */
export function rowsViewObjects(access: TableAccess, scope: CompileScope): Compiled {
  const { role, table, rules, rows: name } = access;
  const { select } = rules;
  if (!name || !select) return nothing;
  const row = ident('r');
  const { columns, joined } = maskedColumns(access, select, { table, row, scope });
  const shown = [...columns, ...computedColumns(access, select, { table, row, scope }), ...joined];
  const list = shown.map(({ text }) => text);
  const where = printRule(select.filter, table, scope, row);
  const view = viewObject({
    name,
    label: `view ${name.name} of the rows of ${label(table)} for ${role.name}`,
    owner: scope.policyRole,
    query: sql`select ${join(list, ', ')} from ${qualified(table)} as ${row} where ${where.text}`,
    position: select.position,
  });
  const reader = { privilege: 'SELECT', on: name, to: role.postgresName } as const;
  return {
    objects: [view, grantObject({ ...reader, position: select.position })],
    needs: [
      ...shown.flatMap(({ needs }) => needs),
      ...where.views,
      { table, columns: columnsRead(rules, select, table) },
    ],
  };
}

/**
 * Returns all columns of the table that the rows view reads. A computed field counts as reading all columns, because
 * its function receives the whole row.
 */
export function columnsRead(
  { hiddenKeys, joinMasks }: TablePermissions,
  select: SelectRule,
  table: TableModel,
): readonly string[] {
  if (select.computedFields.length > 0) return [...table.columns.keys()];
  const conditions = [select.filter, ...select.columnMasks.values(), ...joinMasks.values()];
  return [...select.columns, ...hiddenKeys, ...conditions.flatMap(filterColumns)];
}
