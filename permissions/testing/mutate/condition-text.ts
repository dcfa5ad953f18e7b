import { subjectOf } from '../../expressions/dependencies.ts';
import { shortTable } from '../../expressions/describe.ts';
import { comparisonOperators } from '../../expressions/operators.ts';
import { titledHeader } from '../../expressions/session-variables.ts';
import type { BoolExp, Operand } from '../../types/expressions.ts';

type Comparison = Extract<BoolExp, { kind: 'compare' }>;

/** Returns a condition in the notation of the metadata, such as `{ status: { _eq: draft } }`. */
export function conditionText(expression: BoolExp, headerPrefix: string): string {
  switch (expression.kind) {
    case 'and':
      return expression.items.length === 0 ? '{}' : listOf('_and', expression.items, headerPrefix);
    case 'or':
      return listOf('_or', expression.items, headerPrefix);
    case 'not':
      return `{ _not: ${conditionText(expression.item, headerPrefix)} }`;
    case 'guarded':
      return conditionText(expression.item, headerPrefix);
    case 'related':
      return `{ ${expression.relationship.name}: ${conditionText(expression.item, headerPrefix)} }`;
    case 'exists':
      return `{ _exists: { _table: ${shortTable(expression.table)}, _where: ${conditionText(expression.item, headerPrefix)} } }`;
    case 'computedRows':
      return `{ ${expression.field.name}: ${conditionText(expression.item, headerPrefix)} }`;
    case 'isNull':
      return `{ ${subjectOf(expression.column)}: { _is_null: ${!expression.negated} } }`;
    case 'compare':
      return `{ ${subjectOf(expression.column)}: { ${operatorName(expression)}: ${operandText(expression.operand, headerPrefix)} } }`;
  }
}

function listOf(key: '_and' | '_or', items: readonly BoolExp[], headerPrefix: string): string {
  return `{ ${key}: [${items.map((item) => conditionText(item, headerPrefix)).join(', ')}] }`;
}

function operatorName({ operator, quantifier, pattern, operand }: Comparison): string {
  const isColumn = operand.kind === 'column';
  const found = [...comparisonOperators].find(
    ([, one]) =>
      one.symbol === operator.symbol &&
      one.quantifier === quantifier &&
      one.pattern === pattern &&
      (one.operand === 'column') === isColumn,
  );
  return found?.[0] ?? operator.symbol;
}

function operandText(operand: Operand, headerPrefix: string): string {
  switch (operand.kind) {
    case 'literal':
      return operand.text;
    case 'variable':
      return titledHeader(operand.name, headerPrefix);
    case 'now':
      return 'now()';
    case 'column':
      return operand.reference.column;
    case 'array':
      return `[${operand.items.map((item) => operandText(item, headerPrefix)).join(', ')}]`;
  }
}
