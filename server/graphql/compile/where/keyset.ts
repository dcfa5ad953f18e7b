import { type SQL, sql } from 'postgraphile/pg-sql2';
import { numberTypes, textTypes, timeTypes } from '../../schema/view/builtin-types.ts';
import type { ColumnView } from '../../schema/view/column-view.ts';
import type { Comparison } from '../../schema/view/comparison.ts';
import { isBuiltin } from '../../schema/view/scalar.ts';
import type { TableView } from '../../schema/view/table-view.ts';
import { operator } from '../fragments.ts';
import { encoderOf } from '../input/encode.ts';
import { type Input, isSame } from '../input/input.ts';

/** Compares a column with a value. */
interface Leaf {
  readonly column: ColumnView;
  readonly comparison: Comparison;
  readonly value: Input;
}

/** A column that rows are compared by. */
interface Step extends Leaf {
  readonly isLess: boolean;
}

/** More columns than any order that is paged through. */
const MAX_STEPS = 8;

/**
 * That rows come after a given one: `_or: [{a: {_gt: x}}, {a: {_eq: x}, id: {_gt: y}}]` as `(a, id) > (x, y)`, which
 * an index on both columns answers. Where some columns ascend and others descend, the first one's bound. Either holds,
 * and is null, for the very rows that the disjunction is. Undefined for any other `_or`.
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

/** `isWhole`: says all that the disjunction does; otherwise holds wherever that does. */
export type Keyset = { readonly condition: SQL; readonly isWhole: boolean } | undefined;

function compareRows(steps: readonly Step[], alias: SQL, symbol: string): SQL {
  const cells = steps.map(({ column }) => sql`${alias}.${sql.identifier(column.column)}`);
  const values = steps.map(({ column: { scalar }, value }) => {
    return sql`${value.parameter(encoderOf(scalar))}::${scalar.type.sqlType}`;
  });
  const compared = operator({ schema: 'pg_catalog', symbol });
  return sql`row(${sql.join(cells, ', ')}) ${compared} row(${sql.join(values, ', ')})`;
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

// All columns so far are as in the given row, and one more comes after it.
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

/** Nothing where an item is more than comparisons that all must hold. */
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

/** One value, not one of a list. */
function isEquality({ comparison: { symbol, operand } }: Pick<Leaf, 'comparison'>): boolean {
  return symbol === '=' && operand === 'value';
}

const STRICT: ReadonlySet<string> = new Set(['<', '>']);

/** Types whose comparisons are those of Postgres's own indexes, all of one schema, as comparing rows wants it. */
const ORDERED: ReadonlySet<string> = new Set([
  ...numberTypes,
  ...textTypes,
  ...timeTypes,
  ...['bool', 'uuid', 'bytea'],
]);

function isOrdered({ scalar: { type, isArray } }: ColumnView): boolean {
  return !isArray && isBuiltin(type) && ORDERED.has(type.name);
}
