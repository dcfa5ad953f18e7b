import type { TableRules } from './rule-types.ts';
import type { BoolExp, ColumnReference, ComputedField, ComputedReference } from './types.ts';

/** What a comparison is about, as files name it. */
export function subjectOf(reference: ColumnReference | ComputedReference): string {
  return 'field' in reference ? reference.field.name : reference.column;
}

/** The computed fields whose functions an expression calls, however deep. */
export function computedIn(expression: BoolExp): readonly ComputedField[] {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return expression.items.flatMap(computedIn);
    case 'isNull':
    case 'compare':
      return 'field' in expression.column ? [expression.column.field] : [];
    case 'computedRows':
      return [expression.field, ...computedIn(expression.item)];
    default:
      return computedIn(expression.item);
  }
}

/** The computed fields whose functions the rules of a role on a table call, those of foreign keys' targets included. */
export function computedInRules({
  select,
  insert,
  update,
  delete: removal,
}: TableRules): readonly ComputedField[] {
  const references = [...(insert?.references ?? []), ...(update?.references ?? [])];
  const expressions = [
    ...(select?.cells.values() ?? []),
    ...(select?.computedCells.values() ?? []),
    ...[select?.filter, insert?.check, update?.filter, update?.check, removal?.filter],
    ...references.map(({ filter }) => filter),
  ];
  return expressions.flatMap((one) => (one ? computedIn(one) : []));
}
