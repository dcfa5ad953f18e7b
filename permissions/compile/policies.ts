import type { TableAccess } from '../access/table-access.ts';
import { filterColumns } from '../expressions/dependencies.ts';
import type { PrintScope } from '../expressions/print/print-comparison.ts';
import { type PrintedExpression, printRule } from '../expressions/print/print-expression.ts';
import { grantObject } from '../objects/privileges/grant.ts';
import { type Policy, policyObject } from '../objects/tables/policy.ts';
import { policyName, policySchema } from '../text/object-names.ts';
import { join, type SqlText, sql } from '../text/sql-text.ts';
import type { BoolExp } from '../types/expressions.ts';
import type { TablePermissions } from '../types/model.ts';
import type { Reference, UpdateRule } from '../types/rules.ts';
import type { TableModel } from '../types/tables.ts';
import type { Compiled } from './compiled.ts';
import { printReference } from './print-reference.ts';

/**
 * Returns whether the filter of an update rule must also serve as its check. Without a check, a role could change a row
 * so that the row no longer passes the filter. On a table, that is possible only when the role may change a column that
 * the filter compares. On a view, any compared column counts, because another column of the view may write the same
 * value.
 */
export function filterIsCheck(rule: UpdateRule, table: TableModel): boolean {
  if (rule.check !== undefined) return false;
  return table.view
    ? filterColumns(rule.filter).length > 0
    : movesAny(filterColumns(rule.filter), rule, table);
}

/** Returns whether a rule may change one of the columns of a table. */
export function movesAny(columns: readonly string[], rule: UpdateRule, table: TableModel): boolean {
  const changed = [...rule.columns, ...rule.presets.map((one) => one.column)];
  // Clients change a generated column by writing the columns that it is computed from.
  const moves = (column: string) =>
    changed.includes(column) || table.columns.get(column)?.generated === true;
  return columns.some(moves);
}

/** Returns the policies of one role on one table, and its rights on the views that the policies read. */
export function tablePolicies({ role, table, rules }: TableAccess, scope: PrintScope): Compiled {
  const to = role.postgresName;
  const policies = policiesOf(rules, table, scope);
  const views = policies.flatMap((one) => one.views);
  const readable = new Map(views.map((view) => [view.name, view]));
  return {
    objects: [
      ...policies.map(({ command, using, check, position }) => {
        const name = policyName(role.name, command);
        return policyObject({ name, on: table, to, command, using, check, position });
      }),
      ...[...readable.keys()].map((name) =>
        grantObject({ privilege: 'SELECT', on: { schema: policySchema, name }, to }),
      ),
    ],
    needs: views,
  };
}

/** A policy, and the views that its clauses read. */
type PrintedPolicy = Pick<Policy, 'command' | 'using' | 'check' | 'position'> &
  Pick<PrintedExpression, 'views'>;

function policiesOf(
  { select, insert, update, delete: remove }: TablePermissions,
  table: TableModel,
  scope: PrintScope,
): readonly PrintedPolicy[] {
  const usingOf = (filter: BoolExp) => {
    const { text: using, views } = printRule(filter, table, scope);
    return { using, views };
  };
  const made: PrintedPolicy[] = [];
  if (select) {
    made.push({ command: 'select', ...usingOf(select.filter), position: select.position });
  }
  if (insert) {
    const printed = printRule(insert.check, table, { ...scope, written: true });
    const { text: check, views } = withReferences(printed, insert.references, table, scope);
    made.push({ command: 'insert', check, views, position: insert.position });
  }
  if (update) {
    const { using, views } = usingOf(update.filter);
    const own = updateCheck(update, table, using, scope);
    const check = withReferences(own, update.references, table, scope);
    const position = update.position;
    made.push({
      command: 'update',
      using,
      check: check.text,
      views: [...views, ...check.views],
      position,
    });
  }
  if (remove) {
    made.push({ command: 'delete', ...usingOf(remove.filter), position: remove.position });
  }
  return made;
}

/** Adds conditions to a check: each foreign key of the new row must refer to a row that the role may see. */
function withReferences(
  check: PrintedExpression,
  references: readonly Reference[],
  table: TableModel,
  scope: PrintScope,
): PrintedExpression {
  if (references.length === 0) return check;
  const all = [
    check,
    ...references.map((one) => printReference(one, table, { ...scope, written: true })),
  ];
  const texts = all.map(({ text }) => text);
  return { text: sql`(${join(texts, ' and ')})`, views: all.flatMap(({ views }) => views) };
}

/**
 * Returns the check of an update policy. It is always written, because Postgres would otherwise use the filter as the
 * check.
 */
function updateCheck(
  rule: UpdateRule,
  table: TableModel,
  using: SqlText,
  scope: PrintScope,
): PrintedExpression {
  if (rule.check) return printRule(rule.check, table, { ...scope, written: true });
  return { text: filterIsCheck(rule, table) ? using : sql`true`, views: [] };
}
