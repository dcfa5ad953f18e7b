import { computedInRules } from '../model/computed-uses.ts';
import { callsItself } from '../model/resolve-computed-fields.ts';
import type {
  ComputedField,
  RoleModel,
  SelectRule,
  TableModel,
  TableRules,
} from '../model/types.ts';
import { ident, join, qualified, type SqlText, sql } from '../sql/sql-text.ts';
import type { DesiredObject } from '../state/types.ts';
import { callComputed, type OwnCall } from './computed-calls.ts';
import { commented, grant, label, stateId } from './desired.ts';
import { apiSchema, computedViewName } from './names.ts';
import type { PrintScope } from './print-comparison.ts';
import { printRule } from './print-expression.ts';

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
  return select && viewed(select, table).includes(field) ? viewOf(role, table) : undefined;
}

function viewOf(role: RoleModel, table: TableModel): ViewName {
  return { schema: apiSchema, name: computedViewName(role.postgresName, table.key) };
}

function viewed(select: SelectRule, table: TableModel): readonly ComputedField[] {
  const fields = select.computedFields.flatMap((name) => table.computedFields.get(name) ?? []);
  return fields.filter((field) => !callsItself(field, select, table));
}

/** Whoever reads the view must be able to execute what it calls: of a function with the rights of its owner only ours. */
function callInView(field: ComputedField): OwnCall {
  return { field, asOwner: field.definer };
}

/** The calls that rules of a role on a table, and the view of its computed fields, make. */
export function callsForRole(rules: TableRules, table: TableModel): readonly OwnCall[] {
  const shown = rules.select ? viewed(rules.select, table) : [];
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
  const shown = select ? viewed(select, table) : [];
  if (!select || shown.length === 0) return [];
  const name = viewOf(role, table);
  const row = ident('r');
  const keys = table.primaryKey.map((key) => sql`${row}.${ident(key)} as ${ident(key)}`);
  const values = shown.map((field) => valueSql(field, row, scope));
  const where = printRule(select.filter, table, scope, row).text;
  const query = sql`select ${join([...keys, ...values], ', ')} from ${qualified(table)} as ${row} where ${where}`;
  scope.views.read(table, table.columns.keys());
  const view = commented({
    kind: 'view',
    id: stateId.view(name.name),
    label: `view ${name.name} of the computed fields of ${label(table)} for ${role.name}`,
    facts: [scope.policyRole, 'security_barrier'],
    body: query,
    target: sql`view ${qualified(name)}`,
    create: [
      sql`create view ${qualified(name)} with (security_barrier) as ${query}`,
      sql`alter view ${qualified(name)} owner to ${ident(scope.policyRole)}`,
    ],
    position: select.position,
  });
  return [view, grant(name, role.postgresName, 'SELECT', undefined, select.position)];
}

function valueSql(field: ComputedField, row: SqlText, { session }: PrintScope): SqlText {
  return sql`${callComputed(callInView(field), { row: sql`${row}.*`, session })} as ${ident(field.name)}`;
}
