import { plainType } from '../registry/column-type.ts';
import type { ColumnView, ValueView } from './column-view.ts';
import { comparisonsOf } from './comparison.ts';
import { isBuiltin, scalarOf } from './scalar.ts';
import type { TableView } from './table-view.ts';

/** An aggregate that a condition on related rows may use. */
export interface AggregatePredicate {
  /** Name of the field and of the Postgres function. */
  readonly name: string;
  /** The input of the aggregate: any columns or whole rows, one column, or a pair of columns. */
  readonly operand: 'columns' | 'column' | 'pair';
  /** The columns that the client may choose. */
  readonly columns: readonly ColumnView[];
  /** The type and the comparisons of the result. */
  readonly compared: ComparedResult;
}

export type ComparedResult = Pick<ValueView, 'name' | 'scalar' | 'comparisons'>;

/** The results of type String, Int, Boolean and float8. */
export const textResult = resultOf('text');
export const countResult = resultOf('int4');
const boolean = resultOf('bool');
const float = resultOf('float8');

const OF_BOOLEAN = ['bool_and', 'bool_or'];
const OF_FLOAT = ['avg', 'max', 'min', 'stddev_samp', 'sum', 'var_samp'];
const OF_FLOATS = ['corr', 'covar_samp'];

/** Returns the aggregates available in conditions on the rows of a table. The role must have the right to aggregate. */
export function aggregatePredicates(table: TableView): readonly AggregatePredicate[] {
  if (!table.select.allowAggregations) return [];
  const columns = [...table.columns.values()];
  const ofType = (name: string) => columns.filter((column) => isOf(column, name));
  const [booleans, floats] = [ofType('bool'), ofType('float8')];
  const every = [
    { name: 'count', operand: 'columns', columns, compared: countResult } as const,
    ...OF_BOOLEAN.map((name) => ({ name, columns: booleans, compared: boolean })),
    ...OF_FLOAT.map((name) => ({ name, columns: floats, compared: float })),
    ...OF_FLOATS.map((name) => ({ name, operand: 'pair', columns: floats, compared: float })),
  ];
  return every
    .filter((one) => one.name === 'count' || one.columns.length > 0)
    .map((one) => ({ operand: 'column', ...one }) as AggregatePredicate);
}

function isOf({ scalar: { type, isArray } }: ColumnView, name: string): boolean {
  return !isArray && isBuiltin(type) && type.name === name;
}

function resultOf(name: string): ComparedResult {
  const scalar = scalarOf(plainType({ schema: 'pg_catalog', name }), new Set());
  return { name: scalar.name, scalar, comparisons: comparisonsOf(scalar) };
}
