import type {} from '@graphile/pg-aggregates';
import { numberTypes, textTypes, timeTypes } from '../view/builtin-types.ts';
import type { ColumnView } from '../view/column-view.ts';
import { isBuiltin } from '../view/scalar.ts';
import type { ComputedValueView, TableView } from '../view/table-view.ts';

/** Hasura's aggregate functions, and the specification of @graphile/pg-aggregates that says what each suits. */
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

/** Beyond numbers, what Postgres has `min` and `max` for. */
const ORDERED: ReadonlySet<string> = new Set([...textTypes, ...timeTypes, 'inet']);

/** The specifications know numbers that some column has; a function may give one of another type. */
const NUMBERS: ReadonlySet<string> = new Set([...numberTypes, 'money', 'oid']);

/** The columns that each function can be applied to; functions without any are left out. */
export function aggregatedColumns(
  build: GraphileBuild.Build,
  table: TableView,
): ReadonlyMap<string, readonly ColumnView[]> {
  return byFunction(build, [...table.columns.values()]);
}

/** The same of columns and of what functions compute from each row. */
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
  // Of an enum no value is more than another.
  if (scalar.values) return false;
  if (name === 'min' || name === 'max') {
    if (aggregates.has(name)) return true;
    if (scalar.isArray || type.labels || (isBuiltin(type) && ORDERED.has(type.name))) return true;
  }
  const specification = build.pgAggregateSpecs.find(({ id }) => id === SPECIFICATIONS[name]);
  if (!specification || scalar.isArray || !isBuiltin(type)) return false;
  if (!specification.isSuitableType(type.codec) && !NUMBERS.has(type.name)) return false;
  // The specifications take intervals, money and object ids for numbers; Postgres averages and adds not all of them.
  if (type.name === 'money') return ['sum', 'min', 'max'].includes(name);
  if (type.name === 'oid') return name === 'min' || name === 'max';
  return type.name !== 'interval';
}
