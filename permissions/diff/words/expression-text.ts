import { subjectOf } from '../../expressions/dependencies.ts';
import { parseArray } from '../../expressions/literals.ts';
import { tableLabel } from '../../init/table-label.ts';
import { headerOf } from '../../text/names.ts';
import type { BoolExp, Operand } from '../../types/expressions.ts';
import type { Model } from '../../types/model.ts';

type Scope = Pick<Model, 'headerPrefix' | 'tables'>;

/** Words for operators whose symbols few people know. */
const words: Readonly<Record<string, string>> = {
  '~~': 'like',
  '!~~': 'not like',
  '~~*': 'ilike',
  '!~~*': 'not ilike',
  '<>': 'is not',
};

/** Prints a condition as one line for people: `status = 'active' and organization_id = X-Gql-Organization-Id`. */
export function expressionText(expression: BoolExp | undefined, scope: Scope): string {
  return expression ? print(expression, scope, false) : 'no row';
}

function print(expression: BoolExp, scope: Scope, inner: boolean): string {
  switch (expression.kind) {
    case 'and':
      return list(expression.items, ' and ', 'every row', scope, inner);
    case 'or':
      return list(expression.items, ' or ', 'no row', scope, inner);
    case 'not':
      return `not (${print(expression.item, scope, false)})`;
    case 'guarded':
      return print(expression.item, scope, inner);
    case 'isNull':
      return `${columnText(expression.column)} is ${expression.negated ? 'not ' : ''}null`;
    case 'compare':
      return compareText(expression, scope);
    case 'related':
      return `${expression.relationship.name} has (${print(expression.item, scope, false)})`;
    case 'exists':
      return `some row of ${labelOf(expression.table, scope)} has (${print(expression.item, scope, false)})`;
    case 'computedRows':
      return `some row of ${expression.field.name}() has (${print(expression.item, scope, false)})`;
  }
}

function list(
  items: readonly BoolExp[],
  word: ' and ' | ' or ',
  empty: string,
  scope: Scope,
  inner: boolean,
): string {
  const [only] = items;
  if (only && items.length === 1) return print(only, scope, inner);
  if (items.length === 0) return empty;
  const text = items.map((item) => print(item, scope, true)).join(word);
  return inner ? `(${text})` : text;
}

type Comparison = Extract<BoolExp, { kind: 'compare' }>;

function compareText(expression: Comparison, scope: Scope): string {
  const { column, operator, operand, quantifier } = expression;
  const left = columnText(column);
  const right = operandText(operand, scope);
  const symbol = words[operator.symbol] ?? operator.symbol;
  if (quantifier) return `${left} ${quantifier === 'any' ? 'in' : 'not in'} ${right}`;
  return `${left} ${symbol} ${right}`;
}

function columnText(reference: Comparison['column']): string {
  const name = 'field' in reference ? `${subjectOf(reference)}()` : reference.column;
  return reference.scope === 'root' ? `the row's own ${name}` : name;
}

function operandText(operand: Operand, scope: Scope): string {
  switch (operand.kind) {
    case 'literal':
      return literalText(operand.text, operand.type.element !== undefined);
    case 'variable':
      return headerText(operand.name, scope.headerPrefix);
    case 'now':
      return 'now';
    case 'column':
      return columnText(operand.reference);
    case 'array':
      return `(${operand.items.map((item) => operandText(item, scope)).join(', ')})`;
  }
}

function literalText(text: string, isArray: boolean): string {
  const items = isArray ? parseArray(text) : undefined;
  if (!items) return `'${text}'`;
  return `(${items.map((item) => (item === null ? 'null' : `'${item}'`)).join(', ')})`;
}

/** Returns a session variable as metadata files write it, e.g. `X-Gql-User-Id`. */
export function headerText(variable: string, headerPrefix: string): string {
  return headerOf(variable, headerPrefix).replace(/(^|-)[a-z]/g, (found) => found.toUpperCase());
}

/** Returns the value of a preset, e.g. `X-Gql-User-Id` or `'draft'`. */
export function valueText(value: Operand, scope: Scope): string {
  return operandText(value, scope);
}

export function labelOf(key: string, { tables }: Pick<Model, 'tables'>): string {
  const table = tables.get(key);
  return table ? tableLabel(table) : key;
}
