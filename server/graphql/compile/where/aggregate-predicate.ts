import { type SQL, sql } from 'postgraphile/pg-sql2';
import {
  type AggregatePredicate,
  aggregatePredicates,
  type ComparedResult,
} from '../../schema/view/aggregate-predicates.ts';
import type { TableView } from '../../schema/view/table-view.ts';
import { aggregateCall, countCall } from '../aggregate-call.ts';
import { columnRef } from '../fragments.ts';
import type { Input } from '../input/input.ts';

/** A condition on an aggregate of related rows. */
export interface RelatedAggregate {
  /** The aggregated value. */
  readonly value: SQL;
  /** The type and the comparisons of the aggregated value. */
  readonly compared: ComparedResult;
  /** Condition on the rows to aggregate; undefined: all related rows. */
  readonly filter: Input | undefined;
  /** Condition on the aggregated value. */
  readonly predicate: Input;
}

type Fields = ReadonlyMap<string, Input>;

/** Reads `<relationship>_aggregate: {count: {predicate: {_gt: 2}}}` on the rows of `alias`. */
export function readAggregatePredicate(
  table: TableView,
  alias: SQL,
  input: Input,
): RelatedAggregate {
  const [[name, details] = []] = input.fields();
  const found = aggregatePredicates(table).find((one) => one.name === name);
  if (!found) throw new Error(`${table.name} has no predicate ${name}`);
  const fields: Fields = new Map(details?.fields());
  return {
    value: computedValue(found, table, alias, fields),
    compared: found.compared,
    filter: fields.get('filter'),
    predicate: given(fields.get('predicate'), (one) => one),
  };
}

function computedValue(
  { name, operand, columns }: AggregatePredicate,
  table: TableView,
  alias: SQL,
  fields: Fields,
): SQL {
  const distinct = fields.get('distinct')?.constant() === true;
  const args = fields.get('arguments');
  if (operand === 'columns') {
    const names = args && !args.isNull() ? args.items().map(nameIn) : [];
    return countCall(
      names.map((column) => columnRef(alias, table, column)),
      distinct,
    );
  }
  if (operand === 'pair') {
    const pair = new Map(args?.fields());
    const [x, y] = [pair.get('X'), pair.get('Y')].map((one) =>
      given(one, (column) => columnRef(alias, table, nameIn(column))),
    );
    return sql`${sql.identifier('pg_catalog', name)}(${distinct ? sql`distinct ` : sql.blank}${x ?? sql.null}, ${y ?? sql.null})`;
  }
  const column = columns.find((one) => one.name === given(args, nameIn));
  if (!column) throw new Error(`${name} passed the check without a column`);
  return aggregateCall(name, column, columnRef(alias, table, column.name), distinct);
}

function nameIn(input: Input): string {
  return String(input.constant());
}

function given<T>(input: Input | undefined, read: (input: Input) => T): T {
  if (!input) throw new Error('an aggregate predicate passed the check but lacks a field');
  return read(input);
}
