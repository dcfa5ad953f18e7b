import type { BoolExp } from '../types/expressions.ts';
import type { TableKey } from '../types/names.ts';

/** The tables that an expression leads to, however deep. */
export function tablesIn(expression: BoolExp): ReadonlySet<TableKey> {
  const found = new Set<TableKey>();
  collect(expression, found);
  return found;
}

function collect(expression: BoolExp, found: Set<TableKey>): void {
  switch (expression.kind) {
    case 'and':
    case 'or':
      for (const item of expression.items) collect(item, found);
      return;
    case 'isNull':
    case 'compare':
      return;
    case 'related':
      found.add(expression.relationship.table);
      break;
    case 'exists':
    case 'computedRows':
      found.add(expression.table);
      break;
    case 'not':
    case 'guarded':
      break;
  }
  collect(expression.item, found);
}
