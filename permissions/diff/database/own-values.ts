import { leadsAway, partsOf } from '../../expressions/visit.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { VariableName } from '../../types/names.ts';

/**
 * Finds for session variables the column of the row that rules compare them with, e.g. `organization_id` for
 * `X-Gql-Organization-Id`. A caller to whom a row belongs has the value of that column.
 */
export function ownColumnsOf(
  expressions: readonly (BoolExp | undefined)[],
): ReadonlyMap<VariableName, string> {
  const found = new Map<VariableName, string>();
  for (const expression of expressions) {
    if (!expression) continue;
    for (const part of partsOf(expression, (one) => !leadsAway(one))) {
      if (part.kind !== 'compare' || part.operator.symbol !== '=' || 'field' in part.column)
        continue;
      const { operand, column } = part;
      if (operand.kind === 'variable' && !found.has(operand.name))
        found.set(operand.name, column.column);
    }
  }
  return found;
}

/** Replaces session variables by columns of the row, so that each row is judged for the caller to whom it belongs. */
export function withOwnValues(
  expression: BoolExp | undefined,
  own: ReadonlyMap<VariableName, string>,
): BoolExp | undefined {
  return expression && replace(expression, own);
}

function replace(expression: BoolExp, own: ReadonlyMap<VariableName, string>): BoolExp {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return { ...expression, items: expression.items.map((item) => replace(item, own)) };
    case 'not':
    case 'guarded':
    case 'related':
    case 'exists':
    case 'computedRows':
      return { ...expression, item: replace(expression.item, own) };
    case 'isNull':
      return expression;
    case 'compare': {
      const { operand, quantifier: _, ...rest } = expression;
      const column = operand.kind === 'variable' ? own.get(operand.name) : undefined;
      if (operand.kind !== 'variable' || column === undefined) return expression;
      const reference = { scope: 'root' as const, column, type: operand.type };
      return { ...rest, operand: { kind: 'column', reference } };
    }
  }
}
