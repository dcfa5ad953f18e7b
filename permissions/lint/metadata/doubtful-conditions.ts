import type { Report } from '../../diagnostics.ts';
import { computedIn, subjectOf } from '../../expressions/dependencies.ts';
import { patternSymbols } from '../../expressions/operators.ts';
import { operandsOf, partsOf } from '../../expressions/visit.ts';
import { headerOf } from '../../text/names.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { Model, RoleModel, TablePermissions } from '../../types/model.ts';
import type { TableModel } from '../../types/tables.ts';

/** The conditions of a rule, and the report for findings about them. */
export interface ConditionSubject {
  readonly model: Model;
  readonly role: RoleModel;
  readonly table: TableModel;
  readonly rules: TablePermissions;
  readonly report: Report;
}

/**
 * Reports conditions that hold for more rows than their author may expect: an `_exists` that depends neither on the
 * caller nor on the row, and a session variable that is used as a pattern.
 */
export function doubtfulConditions(subject: ConditionSubject): void {
  const { role, table, rules, report } = subject;
  const of = `of ${role.name} on ${table.schema}.${table.name}`;
  for (const { what, condition, position } of conditionsOf(rules)) {
    for (const { table: other } of unboundExists(condition)) {
      report.warning(
        'RG_UNBOUND_EXISTS',
        position,
        `the ${what} ${of} holds if there is any row of ${other}, for every row and every caller`,
        'compare a column of it with a session variable or, by ["$", name], with one of the row',
      );
    }
    for (const { column, variable } of variablePatterns(condition)) {
      report.warning(
        'RG_VARIABLE_PATTERN',
        position,
        `the ${what} ${of} takes ${headerOf(variable, subject.model.headerPrefix)} for a pattern, and some patterns match every "${column}"`,
        'compare by _eq or _in, or see to it that the variable holds no wildcard',
      );
    }
  }
}

type Condition = {
  readonly what: string;
  readonly condition: BoolExp;
  readonly position: TableModel['position'];
};

function conditionsOf({
  select,
  insert,
  update,
  delete: removal,
}: TablePermissions): readonly Condition[] {
  return [
    ...(select
      ? [{ what: 'select filter', condition: select.filter, position: select.position }]
      : []),
    ...(insert
      ? [{ what: 'insert check', condition: insert.check, position: insert.position }]
      : []),
    ...(update
      ? [{ what: 'update filter', condition: update.filter, position: update.position }]
      : []),
    ...(update?.check
      ? [{ what: 'update check', condition: update.check, position: update.position }]
      : []),
    ...(removal
      ? [{ what: 'delete filter', condition: removal.filter, position: removal.position }]
      : []),
  ];
}

function unboundExists(condition: BoolExp): readonly Extract<BoolExp, { kind: 'exists' }>[] {
  return partsOf(condition).flatMap((part) =>
    part.kind === 'exists' && !isBound(part.item) ? [part] : [],
  );
}

/**
 * Returns whether the condition of an `_exists` depends on the caller or on the rule's own row. Otherwise it holds for
 * all rows or for none.
 */
function isBound(condition: BoolExp): boolean {
  const fields = computedIn(condition);
  if (fields.some((field) => field.arguments.some(({ kind }) => kind === 'session'))) return true;
  return partsOf(condition).some((part) => {
    if (part.kind === 'isNull') return part.column.scope === 'root';
    if (part.kind !== 'compare') return false;
    return (
      part.column.scope === 'root' ||
      operandsOf(part.operand).some(
        (one) =>
          one.kind === 'variable' || (one.kind === 'column' && one.reference.scope === 'root'),
      )
    );
  });
}

function variablePatterns(condition: BoolExp): readonly { column: string; variable: string }[] {
  return partsOf(condition).flatMap((part) => {
    if (part.kind !== 'compare' || !patternSymbols.has(part.operator.symbol)) return [];
    if (part.operand.kind !== 'variable') return [];
    return [{ column: subjectOf(part.column), variable: part.operand.name }];
  });
}
