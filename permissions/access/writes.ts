import { apiSchema, type ObjectName, writeViewName } from '../text/object-names.ts';
import type { RoleModel, TablePermissions } from '../types/model.ts';
import type { TableModel } from '../types/tables.ts';

/** What a role writes a view by. `return`: inserts that return rows, which the role must then see. */
export type ViewWrite = 'insert' | 'return' | 'update' | 'delete';

/**
 * The views by which a role writes a table that is itself a view, to which no policy applies: Postgres writes through
 * them, holds new rows to their check options, and changes only rows that they show. Empty for all other tables.
 */
export function writeViews(
  role: RoleModel,
  table: TableModel,
  rules: TablePermissions,
): ReadonlyMap<ViewWrite, ObjectName> {
  if (!table.view || table.view.isInvoker) return new Map();
  return new Map(writesOf(rules).map((write) => [write, writeView(role, table, write)]));
}

/** `seen`: the rows that the role sees, below the view that updates go by. */
export function writeView(role: RoleModel, table: TableModel, write: ViewWrite | 'seen') {
  return { schema: apiSchema, name: writeViewName(role.postgresName, table.key, write) };
}

function writesOf(rules: TablePermissions): readonly ViewWrite[] {
  const returns = rules.insert && rules.select;
  return (['insert', 'return', 'update', 'delete'] as const).filter((write) =>
    write === 'return' ? returns : rules[write],
  );
}
