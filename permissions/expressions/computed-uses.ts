import type { BoolExp, ColumnReference, ComputedReference } from '../types/expressions.ts';
import type { SelectRule, TableRules, UpdateRule } from '../types/rules.ts';
import type { ComputedField } from '../types/tables.ts';

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
  return [select, insert, update, removal].flatMap((rule) => (rule ? computedInRule(rule) : []));
}

/** The computed fields whose functions one rule calls, with the rights of the applier. */
export function computedInRule(rule: ExpressionsOfRule): readonly ComputedField[] {
  const { filter, check, references = [], cells, computedCells } = rule;
  const expressions = [
    ...[...(cells?.values() ?? []), ...(computedCells?.values() ?? [])],
    ...[filter, check, ...references.map((reference) => reference.filter)],
  ];
  return expressions.flatMap((one) => (one ? computedIn(one) : []));
}

/** Where any rule may hold expressions. */
export type ExpressionsOfRule = Partial<
  Pick<SelectRule, 'filter' | 'cells' | 'computedCells'> & Pick<UpdateRule, 'check' | 'references'>
>;
