import { hasMasks } from '../model/computed-fields/computed-access.ts';
import { maxNameBytes } from '../text/names.ts';
import { apiSchema, digest, type ObjectName, rowsViewName } from '../text/object-names.ts';
import type { RoleModel, TablePermissions } from '../types/model.ts';
import type { TableModel } from '../types/tables.ts';

/**
 * Returns the name of the rows view, through which a role reads a table. The view replaces direct access in two cases:
 * when a column is shown only in some rows, which no grant can express, and when the table is itself a view, to which
 * no policy applies. Undefined: the role reads the table directly, or may not read it.
 */
export function rowsView(role: RoleModel, table: TableModel): ObjectName | undefined {
  const select = role.tables.get(table.key)?.select;
  if (!select || (!table.view && !hasMasks(select))) return undefined;
  return { schema: apiSchema, name: rowsViewName(role.postgresName, table.key) };
}

/**
 * Returns the names of extra columns of the rows view, by key column. A relationship must be able to follow a key even
 * in rows where the role may not read that key. So the rows view has the key twice: masked for reading, and unmasked
 * for joins.
 */
export function joinColumns(
  { columns }: TableModel,
  { joinMasks }: Pick<TablePermissions, 'joinMasks'>,
): ReadonlyMap<string, string> {
  const nameFor = (name: string): string => {
    // The name must differ from all columns of the table and must not exceed Postgres's limit.
    const copy = `${name}~`;
    const isTaken = columns.has(copy) || Buffer.byteLength(copy) > maxNameBytes;
    return isTaken ? nameFor(digest(copy)) : copy;
  };
  return new Map([...joinMasks.keys()].map((name) => [name, nameFor(name)]));
}
