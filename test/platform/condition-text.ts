import { subjectOf } from '../../permissions/expressions/dependencies.ts';
import type { BoolExp, Operand } from '../../permissions/types/expressions.ts';

/**
 * Returns a condition as text for reviewers: `status = draft and user_id = $user_id`; undefined when the condition
 * accepts every row.
 */
export function conditionText(condition: BoolExp): string | undefined {
  const text = printed(condition);
  return text === '' ? undefined : text;
}

function printed(condition: BoolExp): string {
  switch (condition.kind) {
    case 'and':
      return condition.items
        .map(printed)
        .filter((text) => text !== '')
        .join(' and ');
    case 'or':
      return `(${condition.items.map(alternative).join(' or ')})`;
    case 'not':
      return `not (${printed(condition.item)})`;
    case 'guarded':
      return printed(condition.item);
    case 'isNull':
      return `${subjectOf(condition.column)} is ${condition.negated ? 'not ' : ''}null`;
    case 'related':
      return `${condition.relationship.name} (${printed(condition.item)})`;
    case 'computedRows':
      return `${condition.field.name} (${printed(condition.item)})`;
    case 'exists':
      return `any ${condition.table} (${printed(condition.item)})`;
    default:
      return comparison(condition);
  }
}

function alternative(condition: BoolExp): string {
  const text = printed(condition);
  return condition.kind === 'and' && condition.items.length > 1 ? `(${text})` : text;
}

const lists: Readonly<Record<string, string>> = { any: 'in', all: 'not in' };

function comparison(condition: Extract<BoolExp, { kind: 'compare' }>): string {
  const { column, operator, quantifier, operand, orNull } = condition;
  const symbol = quantifier ? lists[quantifier] : operator.symbol;
  const text = `${subjectOf(column)} ${symbol} ${operandText(operand)}`;
  return orNull ? `(${text} or null)` : text;
}

/** Returns a value for reviewers: variables as `$user_id`, lists as `(draft, open)`. */
export function operandText(operand: Operand): string {
  switch (operand.kind) {
    case 'variable':
      return `$${operand.name}`;
    case 'column':
      return operand.reference.column;
    case 'array':
      return `(${operand.items.map(operandText).join(', ')})`;
    case 'now':
      return 'now';
    default:
      return operand.type.element ? listText(operand.text) : operand.text;
  }
}

/** Returns the array literal `{"a","b"}` as `(a, b)`. */
function listText(literal: string): string {
  return `(${literal.slice(1, -1).replaceAll('"', '').split(',').join(', ')})`;
}
