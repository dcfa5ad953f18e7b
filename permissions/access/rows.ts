import { hasMasks } from '../model/computed-fields/computed-access.ts';
import { maxNameBytes } from '../text/names.ts';
import { apiSchema, digest, type ObjectName, rowsViewName } from '../text/object-names.ts';
import type { RoleModel, TablePermissions } from '../types/model.ts';
import type { TableModel } from '../types/tables.ts';

/**
 * Returns the rows view, through which a role reads a table. The view masks columns that only some rows show, which a
 * grant cannot express. It replaces row security when the table is itself a view. Undefined: the role reads the table
 * directly, or may not read it.
 */
export function rowsView(role: RoleModel, table: TableModel): ObjectName | undefined {
  const select = role.tables.get(table.key)?.select;
  if (!select || (!table.view && !hasMasks(select))) return undefined;
  return { schema: apiSchema, name: rowsViewName(role.postgresName, table.key) };
}

/**
 * Returns the extra columns of the rows view, by key column. Relationships may follow a key in more rows than those in
 * which the role may read it, so the view has such a key a second time.
 */
export function joinColumns(
  { columns }: TableModel,
  { joinMasks }: Pick<TablePermissions, 'joinMasks'>,
): ReadonlyMap<string, string> {
  const nameFor = (name: string): string => {
    // The name must differ from all columns and all other extra columns.
    const copy = `${name}~`;
    const isTaken = columns.has(copy) || Buffer.byteLength(copy) > maxNameBytes;
    return isTaken ? nameFor(digest(copy)) : copy;
  };
  return new Map([...joinMasks.keys()].map((name) => [name, nameFor(name)]));
}
