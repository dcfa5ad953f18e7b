import type { PolicyView } from '../expressions/policy-views.ts';
import type { PrintScope } from '../expressions/print-comparison.ts';
import { type PrintedExpression, printRule } from '../expressions/print-expression.ts';
import { filterColumns } from '../expressions/reads.ts';
import { grantObject } from '../objects/grant.ts';
import { type Policy, policyObject } from '../objects/policy.ts';
import type { DesiredObject } from '../objects/state/state-object.ts';
import { policyName, policySchema, systemRoles } from '../text/object-names.ts';
import { join, type SqlText, sql } from '../text/sql-text.ts';
import type { BoolExp } from '../types/expressions.ts';
import type { Model, RoleModel, TablePermissions } from '../types/model.ts';
import type { Reference, UpdateRule } from '../types/rules.ts';
import type { TableModel } from '../types/tables.ts';
import { printReference } from './print-reference.ts';

/**
 * Whether an update rule without a check would let rows slip out of its own filter. Of a view any rule may, that
 * compares a column at all: what one column of it shows, another may write.
 */
export function filterIsCheck(rule: UpdateRule, table: TableModel): boolean {
  if (rule.check !== undefined) return false;
  return table.view ? filterColumns(rule.filter).length > 0 : changesItsFilter(rule, table);
}

/** Whether a rule may change columns that its own filter compares. */
export function changesItsFilter(rule: UpdateRule, table: TableModel): boolean {
  const columns = filterColumns(rule.filter);
  const changed = [...rule.columns, ...rule.presets.map((one) => one.column)];
  // What a generated column is made from may change, and the column with it.
  const moves = (column: string) =>
    changed.includes(column) || table.columns.get(column)?.generated === true;
  return columns.some(moves);
}

/** The policies of one role on one table, and its rights on the views that they read. */
export function tablePolicies(
  role: RoleModel,
  table: TableModel,
  rules: TablePermissions,
  scope: PrintScope,
): readonly DesiredObject[] {
  const used = new Set<PolicyView>();
  const use = ({ text, views }: PrintedExpression): SqlText => {
    for (const view of views) used.add(view);
    return text;
  };
  const written = { ...scope, written: true };
  const print = (expression: BoolExp): SqlText => use(printRule(expression, table, scope));
  const printCheck = (expression: BoolExp): SqlText => use(printRule(expression, table, written));
  const bound = (check: SqlText, references: readonly Reference[]): SqlText => {
    const visible = references.map((one) => use(printReference(one, table, written)));
    return visible.length === 0 ? check : sql`(${join([check, ...visible], ' and ')})`;
  };
  const made: DesiredObject[] = [];
  const add = (parts: Pick<Policy, 'command' | 'using' | 'check' | 'position'>) => {
    const name = policyName(role.name, parts.command);
    made.push(policyObject({ ...parts, name, on: table, to: role.postgresName }));
  };
  const { select, insert, update, delete: remove } = rules;
  if (select) {
    add({ command: 'select', using: print(select.filter), position: select.position });
  }
  if (insert) {
    const check = bound(printCheck(insert.check), insert.references);
    add({ command: 'insert', check, position: insert.position });
  }
  if (update) {
    const using = print(update.filter);
    const check = bound(updateCheck(update, table, using, printCheck), update.references);
    add({ command: 'update', using, check, position: update.position });
  }
  if (remove) {
    add({ command: 'delete', using: print(remove.filter), position: remove.position });
  }
  const views = [...used].map((view) =>
    grantObject({
      privilege: 'SELECT',
      on: { schema: policySchema, name: view.name },
      to: role.postgresName,
    }),
  );
  return [...made, ...views];
}

/** Postgres takes the filter for the check where there is none, so the check is always written out. */
function updateCheck(
  rule: UpdateRule,
  table: TableModel,
  using: SqlText,
  print: (expression: BoolExp) => SqlText,
): SqlText {
  if (rule.check) return print(rule.check);
  return filterIsCheck(rule, table) ? using : sql`true`;
}

/** The policy role's own rights: to read, whatever the session, what its views are made of. */
export function policyRoleRights(
  model: Model,
  scope: Pick<PrintScope, 'views'>,
): readonly DesiredObject[] {
  const { policy: owner } = systemRoles(model);
  return [...scope.views.reads].flatMap(([key, columns]) => {
    const table = model.tables.get(key);
    if (!table) return [];
    const readable = columns.size > 0 ? [...columns] : [...table.columns.keys()].slice(0, 1);
    return [
      grantObject({ privilege: 'SELECT', on: table, columns: readable, to: owner }),
      ...(table.view
        ? []
        : [
            policyObject({
              name: policyName('policy', 'select'),
              on: table,
              to: owner,
              command: 'select',
              using: sql`true`,
            }),
          ]),
    ];
  });
}
