import { numberTypes, textTypes, timeTypes } from '../view/builtin-types.ts';
import type { ColumnView } from '../view/column-view.ts';
import { isBuiltin } from '../view/scalar.ts';
import type { ComputedValueView, TableView } from '../view/table-view.ts';

/** The aggregate functions of Hasura that have columns as operands. */
const FUNCTIONS = [
  ...['avg', 'max', 'min', 'stddev', 'stddev_pop', 'stddev_samp', 'sum'],
  ...['var_pop', 'var_samp', 'variance'],
] as const;

/** Types other than numbers for which Postgres has `min` and `max`, and which clients may aggregate. */
const ORDERED: ReadonlySet<string> = new Set([...textTypes, ...timeTypes, 'inet']);

const NUMBERS: ReadonlySet<string> = new Set([...numberTypes, 'money', 'oid']);

/** Returns the suitable columns for each aggregate function; omits functions without any. */
export function aggregatedColumns(table: TableView): ReadonlyMap<string, readonly ColumnView[]> {
  return byFunction([...table.columns.values()]);
}

/** Returns the suitable columns and computed fields for each aggregate function; omits functions without any. */
export function aggregatedValues({
  columns,
  computed,
}: TableView): ReadonlyMap<string, readonly (ColumnView | ComputedValueView)[]> {
  return byFunction([...columns.values(), ...computed.values()]);
}

type Suitable = Pick<ColumnView, 'scalar' | 'aggregates'>;

function byFunction<T extends Suitable>(values: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const entries = FUNCTIONS.map(
    (name) => [name, values.filter((value) => suits(name, value))] as const,
  );
  return new Map(entries.filter(([, suitable]) => suitable.length > 0));
}

function suits(name: string, { scalar, aggregates }: Suitable): boolean {
  const { type } = scalar;
  // The values of an enum table have no order.
  if (scalar.values) return false;
  if (name === 'min' || name === 'max') {
    if (aggregates.has(name)) return true;
    if (scalar.isArray || type.labels || (isBuiltin(type) && ORDERED.has(type.name))) return true;
  }
  if (scalar.isArray || !isBuiltin(type) || !NUMBERS.has(type.name)) return false;
  // Postgres counts money and object ids as numbers, but cannot apply every function to them.
  if (type.name === 'money') return ['sum', 'min', 'max'].includes(name);
  return type.name !== 'oid' || name === 'min' || name === 'max';
}
