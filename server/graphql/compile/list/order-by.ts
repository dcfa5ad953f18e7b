import { type SQL, sql } from 'postgraphile/pg-sql2';
import { aggregated, followedBy } from '../../schema/view/relationship-view.ts';
import type {
  ComputedRowsView,
  RelationshipView,
  TableView,
} from '../../schema/view/table-view.ts';
import { aggregateCall } from '../aggregate-call.ts';
import type { Compilation } from '../compilation.ts';
import { type CalledRow, compileCall, compileValue } from '../computed.ts';
import { atMostOne, columnRef, from, joined, joinTables, newAlias } from '../fragments.ts';
import type { Input } from '../input/input.ts';

/** One expression of an `order by`. */
export interface Ordering {
  readonly expression: SQL;
  readonly direction: SQL;
  /** Identifies the expression: equal expressions of one `order by` have equal keys. */
  readonly key: string;
  /** Number of relationships, aggregates and function calls in the expression. */
  readonly crossings: number;
  /** Number of tables that the expression reads. */
  readonly tables: number;
  /** The column, if the expression is a column of the table itself. */
  readonly column: string | undefined;
}

const DIRECTIONS: ReadonlyMap<string, SQL> = new Map([
  ['asc', sql`asc`],
  ['asc_nulls_first', sql`asc nulls first`],
  ['asc_nulls_last', sql`asc nulls last`],
  ['desc', sql`desc`],
  ['desc_nulls_first', sql`desc nulls first`],
  ['desc_nulls_last', sql`desc nulls last`],
]);

/** Compiles an `order_by` argument, one object or a list, into expressions on the rows of `alias`. */
export function compileOrderBy(
  compilation: Compilation,
  table: TableView,
  alias: SQL,
  input: Input,
): readonly Ordering[] {
  return input.items().flatMap((item) =>
    item.fields().flatMap(([name, value]) => {
      compilation.count();
      if (value.isNull()) return [];
      const computed = table.computed.get(name);
      if (computed) {
        const expression = compileValue(compilation, { table, alias }, computed);
        const crossings = computed.source.kind === 'column' ? 0 : 1;
        const tables = crossings * table.tables;
        return [{ ...ordering(name, expression, value), crossings, tables }];
      }
      if (!table.columns.has(name)) return orderByRelated(compilation, table, alias, name, value);
      const expression = columnRef(alias, table, name);
      const tables = table.columns.get(name)?.tables ?? 0;
      return [{ ...ordering(name, expression, value), column: name, tables }];
    }),
  );
}

function ordering(key: string, expression: SQL, direction: Input): Ordering {
  const none = { crossings: 0, tables: 0, column: undefined };
  return { ...none, key, expression, direction: directionOf(direction) };
}

function orderByRelated(
  compilation: Compilation,
  table: TableView,
  alias: SQL,
  name: string,
  value: Input,
): readonly Ordering[] {
  const rows = aggregated(table.computedRows, name);
  if (rows) return orderByComputedRows(compilation, { table, alias }, rows, value);
  const other = newAlias();
  const object = table.relationships.get(name);
  const relationship = followedBy(table, name);
  if (!relationship) throw new Error(`${table.name} cannot be ordered by ${name}`);
  const remote = relationship.table();
  compilation.readRows(remote, { alias: other, joined: { relationship, local: alias } });
  const orderings = object
    ? compilation.related(() => compileOrderBy(compilation, remote, other, value))
    : orderByAggregate(remote, other, value);
  const tail = object && !atMostOne(object) ? sql` limit 1` : sql.blank;
  return orderings.map(({ key, expression, direction, crossings, tables }) => ({
    key: `${name}.${key}`,
    expression: scalarSubquery(relationship, remote, { expression, local: alias, other, tail }),
    direction,
    crossings: crossings + 1,
    tables: tables + remote.tables + joinTables(table, relationship),
    column: undefined,
  }));
}

function orderByComputedRows(
  compilation: Compilation,
  row: CalledRow,
  rows: ComputedRowsView,
  value: Input,
): readonly Ordering[] {
  const other = newAlias();
  const table = rows.table();
  compilation.readRows(table, { alias: other, isCalled: true });
  return orderByAggregate(table, other, value).map((ordering) => ({
    ...ordering,
    key: `${rows.name}.${ordering.key}`,
    crossings: 1,
    tables: table.tables,
    expression: sql`(select ${ordering.expression} from ${compileCall(compilation, row, rows)} ${other})`,
  }));
}

interface Subquery {
  readonly expression: SQL;
  readonly local: SQL;
  readonly other: SQL;
  readonly tail: SQL;
}

function scalarSubquery(
  relationship: RelationshipView,
  remote: TableView,
  { expression, local, other, tail }: Subquery,
): SQL {
  return sql`(select ${expression} from ${from(remote, other)} where ${joined(relationship, local, other)}${tail})`;
}

function orderByAggregate(remote: TableView, alias: SQL, value: Input): readonly Ordering[] {
  return value.fields().flatMap(([name, input]): readonly Ordering[] => {
    if (input.isNull()) return [];
    if (name === 'count') {
      return [ordering(name, sql`pg_catalog.count(*)`, input)];
    }
    return input.fields().flatMap(([column, direction]) => {
      const view = remote.columns.get(column);
      if (!view || direction.isNull()) return [];
      const expression = aggregateCall(name, view, columnRef(alias, remote, column));
      return [ordering(`${name}.${column}`, expression, direction)];
    });
  });
}

function directionOf(input: Input): SQL {
  const direction = DIRECTIONS.get(String(input.constant()));
  if (!direction) throw new Error('an order_by direction passed the check but is not known');
  return direction;
}
