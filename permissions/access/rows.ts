import { computedIn, rootColumns } from '../expressions/dependencies.ts';
import { entryCondition } from '../expressions/entry-condition.ts';
import { impliedRelationship } from '../expressions/implied-relationship.ts';
import { partsOf } from '../expressions/visit.ts';
import { hasMasks } from '../model/computed-fields/computed-access.ts';
import { maxNameBytes } from '../text/names.ts';
import {
  apiSchema,
  digest,
  entryCheckName,
  keyRowsName,
  type ObjectName,
  rowsViewName,
} from '../text/object-names.ts';
import type { BoolExp } from '../types/expressions.ts';
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
 * Returns the name of the view through which the gateway reads a row by its key, if the role's filter tests rows of
 * other tables. The policy collects the keys of all related rows that pass, which suits lists. The view looks up only
 * the rows that relate to the row it reads. Undefined: reading through the policy is as fast.
 */
export function keyRows(role: RoleModel, table: TableModel): ObjectName | undefined {
  const select = role.tables.get(table.key)?.select;
  if (!select || table.view || hasMasks(select) || table.computedFields.size > 0) return undefined;
  const isTested = partsOf(select.filter).some(isLookedUp);
  if (!isTested || computedIn(select.filter).length > 0 || !isFoundByKey(table)) return undefined;
  return { schema: apiSchema, name: keyRowsName(role.postgresName, table.key) };
}

/** Returns whether a condition finds rows of another table by equal columns alone. */
function isLookedUp(part: BoolExp): boolean {
  if (part.kind === 'related') return rootColumns(part).size === 0;
  return part.kind === 'exists' && impliedRelationship(part.table, part.item) !== undefined;
}

/** Types of pg_catalog whose `=` Postgres trusts below a security barrier, so that it finds rows of a view by index. */
const leakproofTypes: ReadonlySet<string> = new Set([
  ...['bool', 'int2', 'int4', 'int8', 'oid', 'uuid', 'text', 'varchar', 'bpchar', 'name', 'bytea'],
  ...['date', 'time', 'timetz', 'timestamp', 'timestamptz'],
]);

function isFoundByKey({ primaryKey, columns }: TableModel): boolean {
  const types = primaryKey.map((name) => columns.get(name)?.type);
  const isTrusted = types.every(
    (type) => type?.schema === 'pg_catalog' && leakproofTypes.has(type.name),
  );
  return types.length > 0 && isTrusted;
}

/**
 * Returns the name of the view that is empty when the filter cannot pass any row for the caller, such as a caller
 * without memberships. Postgres evaluates a policy for each row, so a list that follows an index would read all rows of
 * the table to find none.
 */
export function entryCheck(role: RoleModel, table: TableModel): ObjectName | undefined {
  const select = role.tables.get(table.key)?.select;
  if (!select || table.view || !entryCondition(select.filter)) return undefined;
  return { schema: apiSchema, name: entryCheckName(role.postgresName, table.key) };
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
