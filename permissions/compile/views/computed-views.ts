import { callComputed, type OwnCall } from '../../expressions/print-call.ts';
import type { PrintScope } from '../../expressions/print-comparison.ts';
import { printRule } from '../../expressions/print-expression.ts';
import { computedInRules } from '../../expressions/reads.ts';
import { type Reach, reachOf } from '../../model/computed-fields/computed-reach.ts';
import { grantObject } from '../../objects/grant.ts';
import { type DesiredObject, label } from '../../objects/state/state-object.ts';
import { viewObject } from '../../objects/view.ts';
import { apiSchema, computedViewName } from '../../text/object-names.ts';
import { ident, join, qualified, type SqlText, sql } from '../../text/sql-text.ts';
import type { RoleModel } from '../../types/model.ts';
import type { SelectRule, TableRules } from '../../types/rules.ts';
import type { ComputedField, TableModel } from '../../types/tables.ts';
import { shownWhere } from './visible-cells.ts';

/** A view of the database, by its name. */
export interface ViewName {
  readonly schema: string;
  readonly name: string;
}

/**
 * Where a role reads a computed field of a table: it may not hand a row to a function of which it does not read every
 * column, nor one of its own making to a function that acts with the rights of its owner, so that a view does it, which
 * shows the primary key and such fields of the rows that the role sees, all by their names in the metadata. Undefined
 * where the role calls the function itself, or may not read the field.
 */
export function computedView(
  role: RoleModel,
  table: TableModel,
  field: ComputedField,
): ViewName | undefined {
  const select = role.tables.get(table.key)?.select;
  const isViewed = select && fieldsOf(select, table, 'view').includes(field);
  return isViewed ? viewOf(role, table) : undefined;
}

/**
 * The column of the rows view in which a role reads a computed field, where only some rows show their cells; undefined
 * where it reads it otherwise or not at all.
 */
export function computedColumn(
  role: RoleModel,
  table: TableModel,
  field: ComputedField,
): string | undefined {
  const select = role.tables.get(table.key)?.select;
  const isInRows = select && fieldsOf(select, table, 'cell').includes(field);
  return isInRows ? nameInRows(table, field) : undefined;
}

/** The columns of the rows view that computedColumn names. */
export function computedCells(
  rule: SelectRule,
  table: TableModel,
  row: SqlText,
  scope: PrintScope,
): readonly SqlText[] {
  return fieldsOf(rule, table, 'cell').map((field) => {
    const value = callComputed(callInView(field), { row: sql`${row}.*`, session: scope.session });
    const shown = shownWhere(rule, rule.computedCells.get(field.name), value, {
      ...{ table, row, scope },
    });
    return sql`${shown} as ${ident(nameInRows(table, field))}`;
  });
}

/** As in the metadata, unless a column, whose name in GraphQL is another, has that name. */
function nameInRows({ columns }: TableModel, { name }: ComputedField): string {
  return columns.has(name) ? `${name}()` : name;
}

function viewOf(role: RoleModel, table: TableModel): ViewName {
  return { schema: apiSchema, name: computedViewName(role.postgresName, table.key) };
}

/** The fields with one value that a role reads in one of these ways. */
function fieldsOf(
  select: SelectRule,
  table: TableModel,
  ...ways: readonly Reach[]
): readonly ComputedField[] {
  const fields = select.computedFields.flatMap((name) => table.computedFields.get(name) ?? []);
  return fields.filter((field) => {
    const reach = reachOf(field, select, table);
    return typeof reach === 'string' && ways.includes(reach);
  });
}

/** Whoever reads the view must be able to execute what it calls: of a function with the rights of an owner only ours. */
function callInView(field: ComputedField): OwnCall {
  return { field, asOwner: field.rights === 'owner' };
}

/** The calls that rules of a role on a table, and the view of its computed fields, make. */
export function callsForRole(rules: TableRules, table: TableModel): readonly OwnCall[] {
  const shown = rules.select ? fieldsOf(rules.select, table, 'view', 'cell') : [];
  return [
    ...computedInRules(rules).map((field) => ({ field, asOwner: true })),
    ...shown.map(callInView),
  ];
}

/**
 * The view that computedView names and its role's right to read it. It belongs to the role of the policy views: what
 * it reads is read with that one's rights, and what the functions read with those of whoever asks.
 */
export function computedViewObjects(
  role: RoleModel,
  table: TableModel,
  scope: PrintScope & { readonly policyRole: string },
): readonly DesiredObject[] {
  const select = role.tables.get(table.key)?.select;
  const shown = select ? fieldsOf(select, table, 'view') : [];
  if (!select || shown.length === 0) return [];
  const name = viewOf(role, table);
  const row = ident('r');
  const keys = table.primaryKey.map((key) => sql`${row}.${ident(key)} as ${ident(key)}`);
  const values = shown.map((field) => valueSql(field, row, scope));
  const where = printRule(select.filter, table, scope, row).text;
  const query = sql`select ${join([...keys, ...values], ', ')} from ${qualified(table)} as ${row} where ${where}`;
  scope.views.read(table, table.columns.keys());
  const view = viewObject({
    name,
    label: `view ${name.name} of the computed fields of ${label(table)} for ${role.name}`,
    owner: scope.policyRole,
    query,
    position: select.position,
  });
  const reader = { privilege: 'SELECT', on: name, to: role.postgresName } as const;
  return [view, grantObject({ ...reader, position: select.position })];
}

function valueSql(field: ComputedField, row: SqlText, { session }: PrintScope): SqlText {
  return sql`${callComputed(callInView(field), { row: sql`${row}.*`, session })} as ${ident(field.name)}`;
}
