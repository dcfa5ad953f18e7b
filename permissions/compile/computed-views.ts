import { computedInRules } from '../model/computed-uses.ts';
import { readsWholeRow } from '../model/resolve-computed-fields.ts';
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
 * Where a role reads the computed fields of a table that have one value: it may not hand a row to a function of which
 * it does not read every column, so that a view does it, which shows the primary key and the fields of the rows that
 * the role sees, all by their names in the metadata. Undefined where the role reads the whole row and calls the
 * functions itself, or has no such field.
 */
export function computedView(role: RoleModel, table: TableModel): ViewName | undefined {
  const select = role.tables.get(table.key)?.select;
  if (!select || viewed(select, table).length === 0) return undefined;
  return { schema: apiSchema, name: computedViewName(role.postgresName, table.key) };
}

function viewed(select: SelectRule, table: TableModel): readonly ComputedField[] {
  if (readsWholeRow(select, table)) return [];
  return select.computedFields.flatMap((name) => table.computedFields.get(name) ?? []);
}

/** The calls that rules of a role on a table, and the view of its computed fields, make. */
export function callsForRole(rules: TableRules, table: TableModel): readonly OwnCall[] {
  const shown = rules.select ? viewed(rules.select, table) : [];
  return [
    ...computedInRules(rules).map((field) => ({ field, asOwner: true })),
    ...shown.map((field) => ({ field, asOwner: false })),
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
  const name = computedView(role, table);
  const select = role.tables.get(table.key)?.select;
  if (!name || !select) return [];
  const row = ident('r');
  const keys = table.primaryKey.map((key) => sql`${row}.${ident(key)} as ${ident(key)}`);
  const values = viewed(select, table).map((field) => valueSql(field, row, scope));
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
  return sql`${callComputed({ field, asOwner: false }, { row: sql`${row}.*`, session })} as ${ident(field.name)}`;
}
