import { type SQL, sql } from 'postgraphile/pg-sql2';
import { sqlTypeOf } from '../../schema/registry/column-type.ts';
import type { ColumnView } from '../../schema/view/column-view.ts';
import { equality, newAlias, ofBase, operator } from '../fragments.ts';
import { encoderOf } from '../input/encode.ts';
import { type Input, type Written, writtenParameter } from '../input/input.ts';
import { isOrdered } from '../where/keyset.ts';

/** One column of a place in a stream. */
export interface Step {
  readonly column: ColumnView;
  readonly isDescending: boolean;
  /** The value from the client, or from the row of `written` with the values of the run. */
  readonly value: Input | SQL;
}

/** Adds the values of the last sent row, which each run provides. */
export function place(steps: readonly Omit<Step, 'value'>[]): readonly Step[] {
  return steps.map((step, index) => ({ ...step, value: valueOfRun(index) }));
}

/**
 * The condition that a row stands after a place. Undefined without steps: every row does.
 * @param orEqual whether rows with exactly these values stand after the place, too
 */
export function isBeyond(alias: SQL, steps: readonly Step[], orEqual: boolean): SQL | undefined {
  const [first, ...more] = steps;
  if (!first) return undefined;
  const isUniform = more.every(({ isDescending }) => isDescending === first.isDescending);
  if (isUniform && steps.every(({ column }) => isOrdered(column))) {
    const columns = steps.map(({ column }) => columnOf(alias, column));
    const symbol = `${first.isDescending ? '<' : '>'}${orEqual ? '=' : ''}`;
    const compared = operator({ schema: 'pg_catalog', symbol });
    return sql`row(${sql.join(columns, ', ')}) ${compared} row(${sql.join(steps.map(boundValue), ', ')})`;
  }
  const condition = isBeyondByColumn(alias, first, more, orEqual);
  // The bound on the first column lets Postgres use an index.
  return more.length === 0 ? condition : sql`(${compare(alias, first, true)} and ${condition})`;
}

// Columns of different directions are compared one after the other.
function isBeyondByColumn(
  alias: SQL,
  step: Step,
  [next, ...more]: readonly Step[],
  orEqual: boolean,
): SQL {
  if (!next) return compare(alias, step, orEqual);
  const { column } = step;
  const isEqual = sql`${ofBase(columnOf(alias, column), column.scalar)} ${equality(column)} ${boundValue(step)}`;
  const later = isBeyondByColumn(alias, next, more, orEqual);
  return sql`(${compare(alias, step, false)} or (${isEqual} and ${later}))`;
}

function compare(alias: SQL, step: Step, orEqual: boolean): SQL {
  const { column, isDescending } = step;
  const name = `${isDescending ? '_lt' : '_gt'}${orEqual ? 'e' : ''}`;
  const symbol = `${isDescending ? '<' : '>'}${orEqual ? '=' : ''}`;
  const comparison = column.comparisons.get(name) ?? { schema: 'pg_catalog', symbol };
  return sql`${ofBase(columnOf(alias, column), column.scalar)} ${operator(comparison)} ${boundValue(step)}`;
}

/** The condition that a row has one of the primary keys that each run provides. */
export function isNamed(alias: SQL, key: readonly ColumnView[]): SQL {
  const list = (column: ColumnView, index: number) =>
    sql`${valueOfRun(index)}::${sqlTypeOf(column.scalar.type)}[]`;
  const own = (column: ColumnView) => ofBase(columnOf(alias, column), column.scalar);
  const [first, ...more] = key;
  if (first && more.length === 0) {
    return sql`${own(first)} ${equality(first)} any (${list(first, 0)})`;
  }
  const named = newAlias();
  const lists = key.map((column, index) => sql`pg_catalog.unnest(${list(column, index)})`);
  const names = key.map((_, index) => sql.identifier(`k${index}`));
  const pairs = key.map(
    (column, index) => sql`${own(column)} ${equality(column)} ${named}.${names[index] ?? sql.null}`,
  );
  return sql`exists (select from rows from (${sql.join(lists, ', ')}) as ${named}(${sql.join(names, ', ')}) where ${sql.join(pairs, ' and ')})`;
}

function columnOf(alias: SQL, { column }: ColumnView): SQL {
  return sql`${alias}.${sql.identifier(column)}`;
}

function boundValue({ column: { scalar }, value }: Step): SQL {
  const given = 'parameter' in value ? value.parameter(encoderOf(scalar)) : value;
  return sql`${given}::${sqlTypeOf(scalar.type)}`;
}

function valueOfRun(index: number): SQL {
  return writtenParameter((written: Written) => written[0]?.[index] ?? null);
}
