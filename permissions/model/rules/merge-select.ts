import { anyOf, isSame } from '../../expressions/combine.ts';
import { variablesOf } from '../../expressions/reads.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { SelectRule } from '../../types/rules.ts';
import type { TableModel } from '../../types/tables.ts';
import { reachOf } from '../computed-fields/computed-reach.ts';

type Cells = ReadonlyMap<string, BoolExp>;

/**
 * What a role may read that inherits several select rules on a table: the rows that any of them shows, and of each row
 * the cells that are shown by a rule which shows the row. Of the limits the largest counts, and a rule without one
 * counts for nothing there. Undefined where there is no rule.
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
  const cells = mergeCells(
    filter,
    columns,
    rules.map((rule) => ({ ...rule, names: rule.columns })),
  );
  const computed = [...table.computedFields.values()].filter(({ name }) =>
    rules.some((rule) => rule.computedFields.includes(name)),
  );
  const allComputed = mergeCells(
    filter,
    computed.map(({ name }) => name),
    rules.map((rule) => ({ ...rule, names: rule.computedFields, cells: rule.computedCells })),
  );
  const merged = { columns, cells, computedCells: allComputed };
  const computedFields = computed
    .filter((field) => typeof reachOf(field, merged, table) === 'string')
    .map(({ name }) => name);
  const computedCells = new Map([...allComputed].filter(([name]) => computedFields.includes(name)));
  const limits = rules.flatMap(({ limit }) => limit ?? []);
  return {
    ...{ filter, columns, cells, computedFields, computedCells },
    allowAggregations: rules.some((rule) => rule.allowAggregations),
    queryFields: rules.every((rule) => rule.queryFields)
      ? rules.flatMap((rule) => rule.queryFields ?? [])
      : undefined,
    limit: limits.length > 0 ? Math.max(...limits) : undefined,
    variables: variablesOf([filter, ...cells.values(), ...computedCells.values()]),
    position: first.position,
  };
}

/** The columns that one rule shows: `names` in the rows of its filter, masked by the conditions of `cells`. */
interface Shown {
  readonly names: readonly string[];
  readonly cells: Cells;
  readonly filter: BoolExp;
}

/** For those of `names` that not all rows show, when they are shown. */
function mergeCells(filter: BoolExp, names: readonly string[], shown: readonly Shown[]): Cells {
  const entries = names.flatMap((name) => {
    const having = shown.filter((one) => one.names.includes(name));
    const condition = anyOf(having.map((one) => one.cells.get(name) ?? one.filter));
    return isSame(condition, filter) ? [] : [[name, condition] as const];
  });
  return new Map(entries);
}
