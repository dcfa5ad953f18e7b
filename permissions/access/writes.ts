import { apiSchema, type ObjectName, writeViewName } from '../text/object-names.ts';
import type { RoleModel, TablePermissions } from '../types/model.ts';
import type { TableModel } from '../types/tables.ts';

/**
 * The purpose of a generated view through which a role writes. `return` is for inserts that return the new rows; the
 * role must be able to see these rows.
 */
export type ViewWrite = 'insert' | 'return' | 'update' | 'delete';

/**
 * Returns the names of the generated views through which a role writes a table that is itself a view. No policy applies
 * to a view, so the generated views enforce the rules: Postgres checks new rows against their check options, and
 * changes only rows that they show. For all other tables the map is empty.
 */
export function writeViews(
  role: RoleModel,
  table: TableModel,
  rules: TablePermissions,
): ReadonlyMap<ViewWrite, ObjectName> {
  if (!table.view || table.view.isInvoker) return new Map();
  return new Map(writesOf(rules).map((write) => [write, writeView(role, table, write)]));
}

/**
 * Returns the name of a generated view for writing. `seen` is a helper view of the rows that the role may see; the view
 * for updates reads it.
 */
export function writeView(role: RoleModel, table: TableModel, write: ViewWrite | 'seen') {
  return { schema: apiSchema, name: writeViewName(role.postgresName, table.key, write) };
}

function writesOf(rules: TablePermissions): readonly ViewWrite[] {
  const returns = rules.insert && rules.select;
  return (['insert', 'return', 'update', 'delete'] as const).filter((write) =>
    write === 'return' ? returns : rules[write],
  );
}
