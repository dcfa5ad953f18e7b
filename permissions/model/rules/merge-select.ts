import { anyOf, isSame } from '../../expressions/combine.ts';
import { variablesOf } from '../../expressions/dependencies.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { SelectRule } from '../../types/rules.ts';
import type { TableModel } from '../../types/tables.ts';
import { accessPathOf } from '../computed-fields/computed-access.ts';

type Masks = ReadonlyMap<string, BoolExp>;

/**
 * Merges the select rules that a role inherits for a table. The role sees a row if any of the rules shows it, and in
 * each row only the columns of the rules that show the row. The row limit is the largest limit of the rules that have
 * one. Undefined without any rule.
 */
export function mergeSelects(
  rules: readonly SelectRule[],
  table: TableModel,
): SelectRule | undefined {
  const [first, ...more] = rules;
  if (!first || more.length === 0) return first;
  const filter = anyOf(rules.map((rule) => rule.filter));
  const columns = [...table.columns.keys()].filter((name) =>
    rules.some((rule) => rule.columns.includes(name)),
  );
  const columnMasks = mergeMasks(
    filter,
    columns,
    rules.map((rule) => ({ ...rule, names: rule.columns })),
  );
  const computed = [...table.computedFields.values()].filter(({ name }) =>
    rules.some((rule) => rule.computedFields.includes(name)),
  );
  const allComputed = mergeMasks(
    filter,
    computed.map(({ name }) => name),
    rules.map((rule) => ({ ...rule, names: rule.computedFields, columnMasks: rule.fieldMasks })),
  );
  const merged = { columns, columnMasks, fieldMasks: allComputed };
  const computedFields = computed
    .filter((field) => typeof accessPathOf(field, merged, table) === 'string')
    .map(({ name }) => name);
  const fieldMasks = new Map([...allComputed].filter(([name]) => computedFields.includes(name)));
  const limits = rules.flatMap(({ limit }) => limit ?? []);
  return {
    ...{ filter, columns, columnMasks, computedFields, fieldMasks },
    allowAggregations: rules.some((rule) => rule.allowAggregations),
    queryFields: mergeFields(rules.map((rule) => rule.queryFields)),
    subscriptionFields: mergeFields(rules.map((rule) => rule.subscriptionFields)),
    limit: limits.length > 0 ? Math.max(...limits) : undefined,
    variables: variablesOf([filter, ...columnMasks.values(), ...fieldMasks.values()]),
    position: first.position,
  };
}

/** Returns the root fields that any of the rules has. A rule without a list has all root fields. */
function mergeFields<F>(lists: readonly (readonly F[] | undefined)[]): readonly F[] | undefined {
  return lists.every((list) => list) ? lists.flatMap((list) => list ?? []) : undefined;
}

/**
 * The columns that one of the merged rules shows: `names`, in the rows that pass its filter, masked by its own
 * `columnMasks`.
 */
interface Shown {
  readonly names: readonly string[];
  readonly columnMasks: Masks;
  readonly filter: BoolExp;
}

/**
 * Returns the masks of the merged rule: for each column of `names` that not all visible rows show, the condition for
 * showing it.
 */
function mergeMasks(filter: BoolExp, names: readonly string[], shown: readonly Shown[]): Masks {
  const entries = names.flatMap((name) => {
    const having = shown.filter((one) => one.names.includes(name));
    const condition = anyOf(having.map((one) => one.columnMasks.get(name) ?? one.filter));
    return isSame(condition, filter) ? [] : [[name, condition] as const];
  });
  return new Map(entries);
}
