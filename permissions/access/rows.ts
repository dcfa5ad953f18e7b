import { hasMasks } from '../model/computed-fields/computed-access.ts';
import { maxNameBytes } from '../text/names.ts';
import { apiSchema, digest, type ObjectName, rowsViewName } from '../text/object-names.ts';
import type { RoleModel, TablePermissions } from '../types/model.ts';
import type { TableModel } from '../types/tables.ts';

/**
 * The view by which a role reads a table. It masks columns that only some rows show, which no grant can express, and
 * it stands in for row security where the table is itself a view. Undefined where the role reads the table itself, or
 * may not read it.
 */
export function rowsView(role: RoleModel, table: TableModel): ObjectName | undefined {
  const select = role.tables.get(table.key)?.select;
  if (!select || (!table.view && !hasMasks(select))) return undefined;
  return { schema: apiSchema, name: rowsViewName(role.postgresName, table.key) };
}

/**
 * Keys that relationships follow in more rows than show them, and the second columns of the rows view that hold them
 * for that.
 */
export function joinColumns(
  { columns }: TableModel,
  { joinMasks }: Pick<TablePermissions, 'joinMasks'>,
): ReadonlyMap<string, string> {
  const nameFor = (name: string): string => {
    // Neither another column nor the second column of another key may have the name.
    const copy = `${name}~`;
    const isTaken = columns.has(copy) || Buffer.byteLength(copy) > maxNameBytes;
    return isTaken ? nameFor(digest(copy)) : copy;
  };
  return new Map([...joinMasks.keys()].map((name) => [name, nameFor(name)]));
}
