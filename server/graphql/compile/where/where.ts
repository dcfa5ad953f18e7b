import { type SQL, sql } from 'postgraphile/pg-sql2';
import { aggregated } from '../../schema/view/relationship-view.ts';
import type {
  ComputedRowsView,
  RelationshipView,
  TableView,
} from '../../schema/view/table-view.ts';
import type { Compilation } from '../compilation.ts';
import { type CalledRow, compileCall, compileValue } from '../computed.ts';
import { atMostOne, columnRef, from, joined, joinTables, newAlias } from '../fragments.ts';
import { type Input, withoutRepeats } from '../input/input.ts';
import { keysOfWhere } from '../live/where-keys.ts';
import { readAggregatePredicate } from './aggregate-predicate.ts';
import { compileComparison } from './comparison.ts';
import { compileKeyset } from './keyset.ts';

/** Compiles a `where` argument into a condition on the rows of `alias`. */
export function compileWhere(
  compilation: Compilation,
  table: TableView,
  alias: SQL,
  where: Input,
): SQL {
  compilation.count();
  const nested = (input: Input) => compileWhere(compilation, table, alias, input);
  const parts = where.fields().map(([name, input]) => {
    if (name === '_and')
      return combine(withoutRepeats(input.items()).map(nested), ' and ', sql`true`);
    if (name === '_or')
      return disjunction(compilation, table, alias, withoutRepeats(input.items()));
    if (name === '_not') return sql`not ${nested(input)}`;
    const column = table.columns.get(name);
    if (column) compilation.counter.read(column.tables);
    if (column) return compileComparison(compilation, column, columnRef(alias, table, name), input);
    const value = table.computed.get(name);
    if (value) {
      if (value.source.kind !== 'column') compilation.counter.cross(1, table.tables);
      const computed = compileValue(compilation, { table, alias }, value);
      return compileComparison(compilation, value, computed, input);
    }
    const rows = table.computedRows.get(name);
    if (rows) {
      const call = compileCall(compilation, { table, alias }, rows);
      return computedRows(compilation, call, rows, input);
    }
    const relationship = table.relationships.get(name);
    if (relationship) return related(compilation, relationship, { table, alias }, input);
    const aggregate = aggregated(table.relationships, name);
    if (aggregate) return relatedAggregate(compilation, aggregate, { table, alias }, input);
    throw new Error(`${table.name} has neither column nor relationship ${name}`);
  });
  return combine(parts, ' and ', sql`true`);
}

function disjunction(
  compilation: Compilation,
  table: TableView,
  alias: SQL,
  items: readonly Input[],
): SQL {
  const keyset = compileKeyset(table, alias, items);
  if (keyset) compilation.count(items.length);
  if (keyset?.isWhole) return keyset.condition;
  const nested = (item: Input) => compileWhere(compilation, table, alias, item);
  const { joins } = compilation;
  const parts =
    items.length === 1 ? items.map(nested) : items.map((item) => joins.apart(() => nested(item)));
  const any = combine(parts, ' or ', sql`false`);
  return keyset ? sql`(${keyset.condition} and ${any})` : any;
}

function combine(parts: readonly SQL[], separator: ' and ' | ' or ', empty: SQL): SQL {
  return parts.length === 0 ? empty : sql`(${sql.join([...parts], separator)})`;
}

// Row security also applies to the remote table, so rows hidden from the role do not count.
function related(
  compilation: Compilation,
  relationship: RelationshipView,
  { table, alias }: CalledRow,
  input: Input,
): SQL {
  const remote = relationship.table();
  const other = newAlias();
  compilation.readRows(remote, {
    ...{ alias: other, joined: { relationship, local: alias } },
    keys: () => keysOfWhere(remote, input),
  });
  compilation.counter.cross(1, remote.tables + joinTables(table, relationship));
  const { condition, isJoined } = compilation.joins.join(atMostOne(relationship), () =>
    compilation.related(() => compileWhere(compilation, remote, other, input)),
  );
  // `offset 0` changes no rows, but makes Postgres keep the subquery separate from the surrounding query.
  const fence = isJoined ? sql.blank : sql` offset 0`;
  return sql`exists (select from ${from(remote, other)} where ${joined(relationship, alias, other)} and ${condition}${fence})`;
}

// Compiles a condition on an aggregate of the related rows that the role may see.
function relatedAggregate(
  compilation: Compilation,
  relationship: RelationshipView,
  { table, alias }: CalledRow,
  input: Input,
): SQL {
  const remote = relationship.table();
  const [other, values] = [newAlias(), newAlias()];
  const { value, compared, filter, predicate } = readAggregatePredicate(remote, other, input);
  compilation.readRows(remote, {
    ...{ alias: other, joined: { relationship, local: alias } },
    keys: () => keysOfWhere(remote, filter),
  });
  compilation.counter.cross(1, remote.tables + joinTables(table, relationship));
  const filtered = filter
    ? compilation.joins.apart(() =>
        compilation.related(() => compileWhere(compilation, remote, other, filter)),
      )
    : sql`true`;
  const condition = compileComparison(compilation, compared, sql`${values}.value`, predicate);
  return sql`exists (select from (select ${value} as value from ${from(remote, other)} where ${joined(relationship, alias, other)} and ${filtered}) ${values} where ${condition})`;
}

function computedRows(
  compilation: Compilation,
  call: SQL,
  rows: ComputedRowsView,
  input: Input,
): SQL {
  const table = rows.table();
  const other = newAlias();
  compilation.readRows(table, { alias: other, isCalled: true });
  compilation.counter.cross(1, table.tables);
  const condition = compilation.joins.apart(() =>
    compilation.related(() => compileWhere(compilation, table, other, input)),
  );
  return sql`exists (select from ${call} ${other} where ${condition})`;
}
