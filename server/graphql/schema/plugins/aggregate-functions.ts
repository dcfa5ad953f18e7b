import type {} from '@graphile/pg-aggregates';
import { numberTypes, textTypes, timeTypes } from '../view/builtin-types.ts';
import type { ColumnView } from '../view/column-view.ts';
import { isBuiltin } from '../view/scalar.ts';
import type { ComputedValueView, TableView } from '../view/table-view.ts';

/**
 * Maps each aggregate function of Hasura to the specification of @graphile/pg-aggregates that lists its suitable types.
 */
const SPECIFICATIONS: Readonly<Record<string, string>> = {
  avg: 'average',
  max: 'max',
  min: 'min',
  stddev: 'stddevSample',
  stddev_pop: 'stddevPopulation',
  stddev_samp: 'stddevSample',
  sum: 'sum',
  var_pop: 'variancePopulation',
  var_samp: 'varianceSample',
  variance: 'varianceSample',
};

/** Types other than numbers for which Postgres has `min` and `max`, and which clients may aggregate. */
const ORDERED: ReadonlySet<string> = new Set([...textTypes, ...timeTypes, 'inet']);

/**
 * Numeric types of Postgres. The specifications cover only the types of columns, but a computed field can have any type
 * that its function returns.
 */
const NUMBERS: ReadonlySet<string> = new Set([...numberTypes, 'money', 'oid']);

/** Returns the suitable columns for each aggregate function; omits functions without any. */
export function aggregatedColumns(
  build: GraphileBuild.Build,
  table: TableView,
): ReadonlyMap<string, readonly ColumnView[]> {
  return byFunction(build, [...table.columns.values()]);
}

/** Returns the suitable columns and computed fields for each aggregate function; omits functions without any. */
export function aggregatedValues(
  build: GraphileBuild.Build,
  { columns, computed }: TableView,
): ReadonlyMap<string, readonly (ColumnView | ComputedValueView)[]> {
  return byFunction(build, [...columns.values(), ...computed.values()]);
}

type Suitable = Pick<ColumnView, 'scalar' | 'aggregates'>;

function byFunction<T extends Suitable>(
  build: GraphileBuild.Build,
  values: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  const entries = Object.keys(SPECIFICATIONS).map(
    (name) => [name, values.filter((value) => suits(build, name, value))] as const,
  );
  return new Map(entries.filter(([, suitable]) => suitable.length > 0));
}

function suits(
  build: GraphileBuild.Build,
  name: string,
  { scalar, aggregates }: Suitable,
): boolean {
  const { type } = scalar;
  // The values of an enum table have no order.
  if (scalar.values) return false;
  if (name === 'min' || name === 'max') {
    if (aggregates.has(name)) return true;
    if (scalar.isArray || type.labels || (isBuiltin(type) && ORDERED.has(type.name))) return true;
  }
  const specification = build.pgAggregateSpecs.find(({ id }) => id === SPECIFICATIONS[name]);
  if (!specification || scalar.isArray || !isBuiltin(type)) return false;
  if (!specification.isSuitableType(type.codec) && !NUMBERS.has(type.name)) return false;
  // The specifications treat intervals, money and object ids as numbers, but Postgres cannot apply every function to
  // them.
  if (type.name === 'money') return ['sum', 'min', 'max'].includes(name);
  if (type.name === 'oid') return name === 'min' || name === 'max';
  return type.name !== 'interval';
}
