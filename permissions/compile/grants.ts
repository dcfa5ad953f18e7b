import type { Catalog } from '../catalog/catalog.ts';
import type { CatalogTable } from '../catalog/types.ts';
import { grantedColumns } from '../expressions/granted-columns.ts';
import { elementOf, tableSchemas } from '../model/tables/table-schemas.ts';
import { type Grant, grantObject } from '../objects/grant.ts';
import { schemaUsage } from '../objects/schema-usage.ts';
import type { DesiredObject } from '../objects/state/state-object.ts';
import { apiSchema } from '../text/object-names.ts';
import type { FunctionModel } from '../types/functions.ts';
import type { Model, RoleModel, TablePermissions } from '../types/model.ts';
import type { InsertRule, UpdateRule } from '../types/rules.ts';
import type { ComputedArgument, ComputedField, TableModel } from '../types/tables.ts';
import { calledFunctions } from './computed-fields/call-grants.ts';
import { presetOnlyColumn } from './presets.ts';

/** The column and sequence grants of one role on one table. */
export function tableGrants(
  role: RoleModel,
  table: TableModel,
  rules: TablePermissions,
  catalog: Catalog,
): readonly DesiredObject[] {
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
  return [...made, ...sequenceGrants(role, table, rules, catalog)];
}

/** Defaults draw from sequences with the rights of whoever inserts, also by a view of the table that has them. */
export function sequenceGrants(
  role: RoleModel,
  table: TableModel,
  { insert }: TablePermissions,
  catalog: Catalog,
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
 * Postgres takes a row of defaults only from who may write some column. Where the rule lists none, that is one whose
 * value is never the client's: one that a preset fills, or one that Postgres computes. An identity would not do, for
 * `overriding system value` and copy write it.
 */
function insertColumns(rule: InsertRule, table: CatalogTable | undefined): readonly string[] {
  if (rule.columns.length > 0) return rule.columns;
  const column = presetOnlyColumn(rule) ?? table?.columns.find((one) => one.computed)?.name;
  return column === undefined ? [] : [column];
}

/** Where only presets act, an update still needs a column to name. */
function updateColumns(rule: UpdateRule): readonly string[] {
  const column = presetOnlyColumn(rule);
  return column === undefined ? rule.columns : [column];
}

/** USAGE on the schemas whose tables and types a role may name. */
export function schemaGrants(
  model: Model,
  role: RoleModel,
  open: ReadonlySet<string>,
): readonly DesiredObject[] {
  const schemas = new Set<string>([apiSchema]);
  for (const [key, rules] of role.tables) {
    const table = model.tables.get(key);
    if (!table) continue;
    for (const schema of tableSchemas(table)) schemas.add(schema);
    for (const field of calledFunctions(table, rules)) addCalled(field, schemas);
    for (const { arguments: taken } of namedFields(table, rules)) addTypes(taken, schemas);
  }
  for (const key of role.functions) {
    const called = model.functions.get(key);
    if (called?.rights === 'caller') addCalled(called, schemas);
    addTypes(called?.arguments ?? [], schemas);
  }
  // Open to everybody, and not ours to grant.
  for (const schema of ['pg_catalog', 'information_schema', ...open]) schemas.delete(schema);
  return [...schemas].map((schema) => schemaUsage(schema, role.postgresName));
}

function addCalled({ function: called }: Pick<FunctionModel, 'function'>, to: Set<string>): void {
  to.add(called.schema);
}

/** Of what clients give: a statement names the types of what it hands over. */
function addTypes(taken: readonly ComputedArgument[], to: Set<string>): void {
  for (const { type, kind } of taken) if (kind === 'client') to.add(elementOf(type).schema);
}

/** The computed fields that a role may ask for. */
function namedFields(
  { computedFields }: TableModel,
  { select, computedRows }: TablePermissions,
): readonly ComputedField[] {
  const names = [...(select?.computedFields ?? []), ...computedRows];
  return names.flatMap((name) => computedFields.get(name) ?? []);
}
