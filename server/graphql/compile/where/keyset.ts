import { type SQL, sql } from 'postgraphile/pg-sql2';
import { sqlTypeOf } from '../../schema/registry/column-type.ts';
import { numberTypes, textTypes, timeTypes } from '../../schema/view/builtin-types.ts';
import type { ColumnView } from '../../schema/view/column-view.ts';
import type { Comparison } from '../../schema/view/comparison.ts';
import { isBuiltin } from '../../schema/view/scalar.ts';
import type { TableView } from '../../schema/view/table-view.ts';
import { operator } from '../fragments.ts';
import { encoderOf } from '../input/encode.ts';
import { type Input, isSame } from '../input/input.ts';

/** A comparison of a column with a value. */
interface Leaf {
  readonly column: ColumnView;
  readonly comparison: Comparison;
  readonly value: Input;
}

/** One column of a row comparison. */
interface Step extends Leaf {
  readonly isLess: boolean;
}

/** Maximum columns of a row comparison. No real pagination orders by more. */
const MAX_STEPS = 8;

/**
 * Compiles the condition of keyset pagination, which selects the rows after a given row: `_or: [{a: {_gt: x}}, {a:
 * {_eq: x}, id: {_gt: y}}]` becomes `(a, id) > (x, y)`. An index on both columns can evaluate the compiled condition.
 * When columns have mixed directions, only the bound on the first column is compiled. Both forms treat nulls like the
 * `_or`. Returns undefined for any other `_or`.
 */
export function compileKeyset(table: TableView, alias: SQL, items: readonly Input[]): Keyset {
  const steps = stepsOf(table, items);
  const [first] = steps ?? [];
  if (!steps || !first) return undefined;
  if (steps.some(({ isLess }) => isLess !== first.isLess)) {
    const bound = compareRows([first], alias, first.isLess ? '<=' : '>=');
    return { condition: bound, isWhole: false };
  }
  const { symbol } = (steps.at(-1) ?? first).comparison;
  return { condition: compareRows(steps, alias, symbol), isWhole: true };
}

/**
 * `isWhole`: the condition replaces the `_or`. Otherwise it is an additional condition that every row of the `_or`
 * satisfies.
 */
export type Keyset = { readonly condition: SQL; readonly isWhole: boolean } | undefined;

function compareRows(steps: readonly Step[], alias: SQL, symbol: string): SQL {
  const columns = steps.map(({ column }) => sql`${alias}.${sql.identifier(column.column)}`);
  const values = steps.map(({ column: { scalar }, value }) => {
    return sql`${value.parameter(encoderOf(scalar))}::${sqlTypeOf(scalar.type)}`;
  });
  const compared = operator({ schema: 'pg_catalog', symbol });
  return sql`row(${sql.join(columns, ', ')}) ${compared} row(${sql.join(values, ', ')})`;
}

function stepsOf(table: TableView, items: readonly Input[]): readonly Step[] | undefined {
  if (items.length < 2 || items.length > MAX_STEPS) return undefined;
  const parts = items.map((item) => leavesOf(table, item)).sort((a, b) => a.length - b.length);
  const steps: Step[] = [];
  for (const leaves of parts) {
    const step = stepAfter(steps, leaves, leaves === parts.at(-1));
    if (!step) return undefined;
    steps.push(step);
  }
  return steps;
}

// Reads one item of the `_or`: the item requires equality with the given row in all columns so far, and compares one
// more column.
function stepAfter(
  before: readonly Step[],
  leaves: readonly Leaf[],
  isLast: boolean,
): Step | undefined {
  const further = leaves.filter((leaf) => !isEquality(leaf));
  const [next] = further;
  const isNext = next && further.length === 1 && leaves.length === before.length + 1;
  if (!isNext || before.some(({ column }) => column === next.column)) return undefined;
  if (!isLast && !STRICT.has(next.comparison.symbol)) return undefined;
  const isEqual = ({ column, value }: Step) =>
    leaves.some((leaf) => isEquality(leaf) && leaf.column === column && isSame(leaf.value, value));
  if (!before.every(isEqual)) return undefined;
  return { ...next, isLess: next.comparison.symbol.startsWith('<') };
}

/** Returns the comparisons of an item if all of them must hold; an empty list for an item with anything else. */
function leavesOf(table: TableView, item: Input): readonly Leaf[] {
  const found: Leaf[] = [];
  const isPlain = item.fields().every(([field, input]) => {
    if (field === '_and') {
      const nested = input.items().map((one) => leavesOf(table, one));
      found.push(...nested.flat());
      return nested.every((leaves) => leaves.length > 0);
    }
    const column = table.columns.get(field);
    const [compared, ...more] = column && isOrdered(column) ? input.fields() : [];
    if (!column || !compared || more.length > 0) return false;
    const [name, value] = compared;
    const comparison = column.comparisons.get(name);
    if (!comparison || !(isEquality({ comparison }) || comparison.group === 'order')) return false;
    found.push({ column, comparison, value });
    return true;
  });
  return isPlain ? found : [];
}

/** Returns true if the comparison is `=` with a single value. */
function isEquality({ comparison: { symbol, operand } }: Pick<Leaf, 'comparison'>): boolean {
  return symbol === '=' && operand === 'value';
}

const STRICT: ReadonlySet<string> = new Set(['<', '>']);

/**
 * Types that Postgres compares by the default operators of its indexes. All are in one schema, as row comparison
 * requires.
 */
const ORDERED: ReadonlySet<string> = new Set([
  ...numberTypes,
  ...textTypes,
  ...timeTypes,
  ...['bool', 'uuid', 'bytea'],
]);

/** Returns true if the default operators of Postgres compare the values, also in row comparisons. */
export function isOrdered({ scalar: { type, isArray } }: ColumnView): boolean {
  return !isArray && isBuiltin(type) && ORDERED.has(type.name);
}
