import type pg from 'pg';
import { filterIsCheck } from '../../compile/policies.ts';
import type { Position } from '../../diagnostics.ts';
import { describeRows } from '../../expressions/describe.ts';
import { sessionObject } from '../../expressions/print/print-operand.ts';
import { titledHeader } from '../../expressions/session-variables.ts';
import type { Refusal } from '../../metadata/schemas/tests.ts';
import type { RequestScope } from '../../rights/act-as.ts';
import { readOnly } from '../../rights/savepoints.ts';
import { systemRoles } from '../../text/object-names.ts';
import { ident, type SqlText } from '../../text/sql-text.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { Model, TablePermissions } from '../../types/model.ts';
import { type Attempt, attempt } from './attempt.ts';
import { conditionTree } from './condition-tree.ts';
import { type EvaluatedCondition, evaluate, existingRow, writtenRow } from './evaluate.ts';
import { setPrincipal } from './principal.ts';
import { type AccessQuestion, checkQuestion } from './question.ts';
import { refusalOf } from './refusal.ts';

/** A condition of the rule that decides about the row. */
export interface DecidingCondition {
  readonly part: 'filter' | 'select filter' | 'check' | 'column';
  /** The masked column, for the part `column`. */
  readonly column?: string;
  readonly condition: EvaluatedCondition;
}

/** Says whether a principal may do an operation with a row, and why. */
export interface AccessExplanation {
  readonly allowed: boolean;
  /** The reasons as sentences; the first one is the outcome. */
  readonly reasons: readonly string[];
  /** The reason of a refusal as tests of rules name it; absent for an error that is no refusal. */
  readonly refused?: Refusal;
  /** The rule of the role for the operation; absent if it has none. */
  readonly rule?: { readonly position: Position; readonly rows: string };
  /** Columns of the question that the rule does not allow. */
  readonly refusedColumns: readonly string[];
  readonly conditions: readonly DecidingCondition[];
}

/**
 * Explains access to one row with the rules that are applied to the database. Must run in a transaction of the login
 * that applies rules; the caller rolls it back. Postgres evaluates every condition, and runs the statement itself as the
 * role of the principal.
 */
export async function explainAccess(
  client: pg.ClientBase,
  question: AccessQuestion,
  scope: RequestScope,
): Promise<AccessExplanation> {
  const { model } = scope;
  checkQuestion(question);
  const { principal, table, operation } = question;
  const rules = principal.role.tables.get(table.key);
  const rule = rules?.[operation];
  if (!rules || !rule) {
    const reason = `role ${principal.role.name} has no rule for ${operation} on ${table.key}`;
    const refused = 'operation' as const;
    return { allowed: false, reasons: [reason], refused, refusedColumns: [], conditions: [] };
  }
  await setPrincipal(client, principal, scope);
  // Conditions may call functions, here with the rights of the login.
  const conditions = await readOnly(client, () =>
    decidingConditions(client, question, rules, model),
  );
  const allowedColumns = 'columns' in rule ? rule.columns : [];
  const asked = operation === 'select' ? question.columns : [...question.values.keys()];
  const refusedColumns = asked.filter((name) => !allowedColumns.includes(name));
  const outcome =
    operation === 'update' && question.values.size === 0
      ? undefined
      : await attempt(client, question, model);
  const decided = verdict(question, conditions, refusedColumns, outcome);
  const filter = 'filter' in rule ? rule.filter : rule.check;
  const refused =
    !decided.allowed && conditions && outcome
      ? refusalOf(rule, refusedColumns, outcome)
      : undefined;
  return {
    ...decided,
    ...(refused && { refused }),
    rule: { position: rule.position, rows: describeRows(filter, model.headerPrefix) },
    refusedColumns,
    conditions: conditions ?? [],
  };
}

/**
 * Returns the conditions that decide, evaluated on the row. Undefined if there is no such row. The settings of the
 * principal must be set, and the transaction must be read only, because conditions may call functions.
 */
export async function decidingConditions(
  client: pg.ClientBase,
  question: AccessQuestion,
  rules: TablePermissions,
  model: Model,
): Promise<readonly DecidingCondition[] | undefined> {
  const { table, principal, operation } = question;
  const { select, insert, update, delete: remove } = rules;
  const { gateway } = systemRoles(model);
  const { tables, headerPrefix } = model;
  const session = sessionObject(model, principal.role.name);
  const scope = { tables, gatewayRole: gateway, session, headerPrefix };
  const row = ident('explained row');
  const missing = (names: readonly string[]) =>
    names
      .filter((name) => !principal.variables.get(name))
      .map((name) => titledHeader(name, headerPrefix));
  const on = async (
    part: DecidingCondition['part'],
    expression: BoolExp,
    from: SqlText,
    column?: string,
  ) => {
    const tree = conditionTree(expression, table, row, scope);
    const condition = await evaluate(client, tree, from, missing);
    return condition && { part, ...(column === undefined ? {} : { column }), condition };
  };
  const before = existingRow(question, row);
  const written = (presets: Parameters<typeof writtenRow>[1]) =>
    writtenRow(question, presets, row, gateway);
  if (operation === 'insert' && insert) {
    const found = await on('check', insert.check, written(insert.presets));
    return found && [found];
  }
  const filter = { select, update, delete: remove, insert: undefined }[operation]?.filter;
  const main = filter && (await on('filter', filter, before));
  if (!main) return undefined;
  const found: (DecidingCondition | undefined)[] = [main];
  if (operation === 'select' && select) {
    for (const name of question.columns) {
      const mask = select.columnMasks.get(name);
      if (mask) found.push(await on('column', mask, before, name));
    }
  } else if (select) found.push(await on('select filter', select.filter, before));
  const check =
    update && (update.check ?? (filterIsCheck(update, table) ? update.filter : undefined));
  if (operation === 'update' && check)
    found.push(await on('check', check, written(update.presets)));
  return found.flatMap((one) => one ?? []);
}

function verdict(
  { principal: { role }, table, operation }: AccessQuestion,
  conditions: readonly DecidingCondition[] | undefined,
  refusedColumns: readonly string[],
  outcome: Attempt | undefined,
): Pick<AccessExplanation, 'allowed' | 'reasons'> {
  const who = `role ${role.name}`;
  const refused = (...reasons: readonly string[]) => ({ allowed: false, reasons });
  if (!conditions) return refused(`${table.key} has no row with this key`);
  const failed = conditions.filter(({ part, condition }) => part !== 'column' && !holds(condition));
  const columns = refusedColumns.map((name) => `${who} may not ${operation} the column ${name}`);
  const parts = failed.map(({ part }) => `the ${part} does not let the row through`);
  const mayNot = `${who} may not ${operation} this row of ${table.key}`;
  if (outcome && 'error' in outcome)
    return refused(mayNot, ...columns, ...parts, `Postgres: ${outcome.error.message}`);
  const isDone = outcome ? outcome.rows > 0 : failed.length === 0;
  if (!isDone || columns.length > 0)
    return refused(
      mayNot,
      ...columns,
      ...parts,
      ...blindReason(table, operation, conditions, failed),
    );
  return { allowed: true, reasons: [`${who} may ${operation} this row of ${table.key}`] };
}

/** A statement of SQL that reads no column meets no select rule, so that the other filter alone decides. */
function blindReason(
  { view }: AccessQuestion['table'],
  operation: AccessQuestion['operation'],
  conditions: readonly DecidingCondition[],
  failed: readonly DecidingCondition[],
): readonly string[] {
  const isWrite = operation === 'update' || operation === 'delete';
  const isHidden =
    failed.some(({ part }) => part === 'select filter') ||
    conditions.every(({ part }) => part !== 'select filter');
  if (!isWrite || view || !isHidden || failed.some(({ part }) => part !== 'select filter'))
    return [];
  return [
    'the role cannot select the row; in SQL, a statement that reads no column still reaches it',
  ];
}

/** Whether a condition lets the row through. */
export function holds({ result, missing }: EvaluatedCondition): boolean {
  return result === 'true' && missing.length === 0;
}
