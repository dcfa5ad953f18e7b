import type { RoleAccess, TableAccess } from '../access/table-access.ts';
import type { CatalogTable } from '../catalog/types.ts';
import { grantedColumns } from '../expressions/granted-columns.ts';
import { elementOf, tableSchemas } from '../model/tables/table-schemas.ts';
import { type Grant, grantObject } from '../objects/privileges/grant.ts';
import { schemaUsage } from '../objects/privileges/schema-usage.ts';
import type { DesiredObject } from '../objects/state/state-object.ts';
import { apiSchema } from '../text/object-names.ts';
import type { FunctionModel } from '../types/functions.ts';
import type { InsertRule, UpdateRule } from '../types/rules.ts';
import type { ComputedArgument } from '../types/tables.ts';
import type { CompileScope } from './compiled.ts';
import { calledFunctions } from './computed-fields/call-grants.ts';
import { presetOnlyColumn } from './presets.ts';

/** Returns the column grants and sequence grants of one role on one table. */
export function tableGrants(
  access: TableAccess,
  { catalog }: Pick<CompileScope, 'catalog'>,
): readonly DesiredObject[] {
  const { role, table, rules } = access;
  const to = role.postgresName;
  const { select, insert, update, delete: remove } = rules;
  const readable = grantedColumns(rules);
  const made: DesiredObject[] = [];
  const add = (parts: Pick<Grant, 'privilege' | 'columns' | 'position'>) =>
    made.push(grantObject({ ...parts, on: table, to }));
  if (select && readable.length > 0)
    add({ privilege: 'SELECT', columns: readable, position: select.position });
  const found = catalog.tables.get(table.key);
  const insertable = insert ? insertColumns(insert, found) : [];
  if (insertable.length > 0)
    add({ privilege: 'INSERT', columns: insertable, position: insert?.position });
  const changeable = update ? updateColumns(update) : [];
  if (changeable.length > 0)
    add({ privilege: 'UPDATE', columns: changeable, position: update?.position });
  if (remove) add({ privilege: 'DELETE', position: remove.position });
  return [...made, ...sequenceGrants(access, { catalog })];
}

/**
 * Returns the privileges on sequences that inserts need. A column default calls nextval() with the rights of the
 * inserting role, also when the insert goes through a view of the table.
 */
export function sequenceGrants(
  { role, table, rules: { insert } }: TableAccess,
  { catalog }: Pick<CompileScope, 'catalog'>,
): readonly DesiredObject[] {
  if (!insert) return [];
  return (catalog.tables.get(table.key)?.sequences ?? []).map((sequence) =>
    grantObject({
      privilege: 'USAGE',
      on: sequence,
      isSequence: true,
      to: role.postgresName,
      position: insert.position,
    }),
  );
}

/**
 * Returns the columns on which a role gets the INSERT privilege. Postgres accepts a row of defaults only from a role
 * that may write at least one column. So when the rule lists no column, the role gets a column whose value a client
 * cannot decide, because a preset or Postgres computes it. An identity column is not safe, because `overriding system
 * value` and `copy` can write it.
 */
function insertColumns(rule: InsertRule, table: CatalogTable | undefined): readonly string[] {
  if (rule.columns.length > 0) return rule.columns;
  const column = presetOnlyColumn(rule) ?? table?.columns.find((one) => one.computed)?.name;
  return column === undefined ? [] : [column];
}

/**
 * Returns the columns on which a role gets the UPDATE privilege. When only presets change columns, the result includes
 * one preset column, because an update statement has to name a column.
 */
export function updateColumns(rule: UpdateRule): readonly string[] {
  const column = presetOnlyColumn(rule);
  return column === undefined ? rule.columns : [column];
}

/** Returns USAGE on the schemas of the tables and types that a role may name. */
export function schemaGrants(
  { role, tables, functions }: RoleAccess,
  open: ReadonlySet<string>,
): readonly DesiredObject[] {
  const schemas = new Set<string>([apiSchema]);
  for (const key of role.tables.keys()) {
    const access = tables.get(key);
    if (!access) continue;
    for (const schema of tableSchemas(access.table)) schemas.add(schema);
    for (const field of calledFunctions(access)) addCalled(field, schemas);
    for (const { field } of access.computed.values()) addTypes(field.arguments, schemas);
  }
  for (const { called, call } of functions) {
    if (!call) addCalled(called, schemas);
    addTypes(called.arguments, schemas);
  }
  // No grants are needed for these schemas: every role may already use them, and Rowgate's owner may not grant USAGE on
  // them.
  for (const schema of ['pg_catalog', 'information_schema', ...open]) schemas.delete(schema);
  return [...schemas].map((schema) => schemaUsage(schema, role.postgresName));
}

function addCalled({ function: called }: Pick<FunctionModel, 'function'>, to: Set<string>): void {
  to.add(called.schema);
}

/**
 * Adds the schemas of argument types. A statement names the types of the arguments that clients give, so the role needs
 * USAGE on these schemas.
 */
function addTypes(taken: readonly ComputedArgument[], to: Set<string>): void {
  for (const { type, kind } of taken) if (kind === 'client') to.add(elementOf(type).schema);
}
