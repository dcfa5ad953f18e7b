import type {} from '@graphile/pg-aggregates';
import type { ColumnView, TableView } from '../view/role-view.ts';
import { isBuiltin } from '../view/scalar.ts';

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
const ORDERED: ReadonlySet<string> = new Set([
  'text',
  'varchar',
  'bpchar',
  'date',
  'time',
  'timetz',
  'timestamp',
  'timestamptz',
  'interval',
  'inet',
]);

/** The columns that each function can be applied to; functions without any are left out. */
export function aggregatedColumns(
  build: GraphileBuild.Build,
  table: TableView,
): ReadonlyMap<string, readonly ColumnView[]> {
  const columns = [...table.columns.values()];
  const entries = Object.keys(SPECIFICATIONS).map(
    (name) => [name, columns.filter((column) => suits(build, name, column))] as const,
  );
  return new Map(entries.filter(([, suitable]) => suitable.length > 0));
}

function suits(
  build: GraphileBuild.Build,
  name: string,
  { scalar, aggregates }: ColumnView,
): boolean {
  const { type } = scalar;
  if (name === 'min' || name === 'max') {
    if (aggregates.has(name)) return true;
    if (scalar.isArray || type.labels || (isBuiltin(type) && ORDERED.has(type.name))) return true;
  }
  const specification = build.pgAggregateSpecs.find(({ id }) => id === SPECIFICATIONS[name]);
  if (!specification?.isSuitableType(type.codec) || !isBuiltin(type)) return false;
  // The specifications take intervals, money and object ids for numbers; Postgres averages and adds not all of them.
  if (type.name === 'money') return ['sum', 'min', 'max'].includes(name);
  if (type.name === 'oid') return name === 'min' || name === 'max';
  return type.name !== 'interval';
}
