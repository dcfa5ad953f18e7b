import { passesEveryRow } from '../expressions/combine.ts';
import { grantedColumns } from '../expressions/granted-columns.ts';
import {
  apiSchema,
  conflictLookupName,
  type ObjectName,
  updateCheckName,
} from '../text/object-names.ts';
import type { RoleModel, TablePermissions } from '../types/model.ts';
import type { TableModel, UniqueConstraint } from '../types/tables.ts';

/** How a role may change an existing row when it upserts into a table, i.e. inserts a row whose key already exists. */
export interface UpsertAccess {
  /**
   * Whether an existing row must be checked before an upsert changes it. Without a check, the whole statement fails
   * when the update filter or the select filter rejects the row; Postgres does not skip such a row.
   * - `open`: both filters accept every row, so no check is needed.
   * - a name: the function that takes a primary key (its columns in order) and returns whether that row may be updated.
   * - undefined: the role lacks an insert, update or select rule, or no check is possible, because the table has no
   *   primary key or the role may not read it.
   */
  readonly updateCheck: ObjectName | 'open' | undefined;
  /**
   * Conflict lookups, by the name of the constraint. A conflict lookup is a generated function that finds the existing
   * row of an upsert and opens a cursor on that row. It serves roles that may insert and update but may not name the
   * constraint in `on conflict`, because they may not read its columns. Postgres lets such a role change the row only
   * through a cursor. The function takes the values of the constraint's columns in order, and ignores values of columns
   * that the insert rule presets.
   */
  readonly conflictLookups: ReadonlyMap<string, ObjectName>;
}

export function upsertAccess(
  role: RoleModel,
  table: TableModel,
  rules: TablePermissions,
): UpsertAccess {
  const updateCheck = updateCheckOf(role, table, rules);
  const lookups = table.uniqueConstraints
    .filter((one) => needsLookup(one, table, rules, updateCheck !== undefined))
    .map((one) => [one.name, conflictLookup(role, table, one)] as const);
  return { updateCheck, conflictLookups: new Map(lookups) };
}

function updateCheckOf(
  role: RoleModel,
  { key, primaryKey, columns }: TableModel,
  rules: TablePermissions,
): UpsertAccess['updateCheck'] {
  if (!rules.select || !rules.insert || !rules.update) return undefined;
  const filters = [rules.select.filter, rules.update.filter];
  if (filters.every(passesEveryRow)) return 'open';
  const readable = grantedColumns(rules);
  if (primaryKey.length === 0 || !primaryKey.every((name) => readable.includes(name))) {
    return undefined;
  }
  const keys = primaryKey.map((name) => [name, columns.get(name)?.type]);
  const facts = [role.postgresName, key, keys, filters];
  return { schema: apiSchema, name: updateCheckName(JSON.stringify(facts, withoutTexts)) };
}

/**
 * Returns whether a role needs a conflict lookup for a constraint, the generated function that finds the existing row
 * of an upsert. No lookup is possible when the role may change no column, when a trigger may change the new row, or
 * when nulls conflict. A lookup is also impossible when a preset of the update rule or a generated column supplies part
 * of the key: the given values would not find the row, or the changed row would have other values.
 */
function needsLookup(
  constraint: UniqueConstraint,
  table: TableModel,
  rules: TablePermissions,
  hasUpdateCheck: boolean,
): boolean {
  if (!rules.insert || !rules.update || rules.update.columns.length === 0) return false;
  if (table.hasInsertTriggers || !constraint.nullsDistinct) return false;
  const readable = grantedColumns(rules);
  if (hasUpdateCheck && constraint.columns.every((name) => readable.includes(name))) return false;
  const preset = new Set(rules.update.presets.map(({ column }) => column));
  return !constraint.columns.some((name) => preset.has(name) || table.columns.get(name)?.generated);
}

function conflictLookup(
  role: RoleModel,
  table: TableModel,
  constraint: UniqueConstraint,
): ObjectName {
  const facts = [role.postgresName, table.key, keyTypes(table, constraint)];
  return { schema: apiSchema, name: conflictLookupName(JSON.stringify(facts)) };
}

/**
 * Returns the columns of a key with their types. The name of a function that takes the key contains a digest of these
 * types, so a changed type leads to a new function.
 */
export function keyTypes(table: TableModel, { columns }: UniqueConstraint) {
  return columns.map((name) => [name, table.columns.get(name)?.type]);
}

/**
 * A replacer for JSON.stringify. It omits members of a filter that do not change the compiled function, such as
 * descriptions, so that a new description does not rename the function.
 */
export function withoutTexts(key: string, value: unknown): unknown {
  return ['description', 'rights', 'default'].includes(key) ? undefined : value;
}
