import { type SQL, sql } from 'postgraphile/pg-sql2';
import { validationFailed } from '../../request-error.ts';
import type { TableView } from '../../schema/view/table-view.ts';
import type { Compilation } from '../compilation.ts';
import { columnRef, tableName } from '../fragments.ts';
import type { Input } from '../input/input.ts';
import type { ReadFacts } from '../live/reads.ts';
import { keysOfWhere } from '../live/where-keys.ts';
import { compileWhere } from '../where/where.ts';
import { compileOrderBy, type Ordering } from './order-by.ts';
import { breakTies } from './tie-break.ts';

/** The rows of a table that a field reads. */
export interface ListRequest {
  readonly table: TableView;
  readonly alias: SQL;
  readonly args: Readonly<Record<string, Input>>;
  /** The condition that joins a nested list with its outer row. */
  readonly join: SQL | undefined;
  /** The relationship that leads to the rows of a nested list. */
  readonly via?: ReadFacts['joined'];
  /** A function call that returns the rows; undefined to read the table itself. */
  readonly source?: SQL;
  /** Path of the field, for errors. */
  readonly path: string;
}

/** The clauses around the columns of a `select`. */
export interface ListSource {
  /** `distinct on (…) ` or nothing. */
  readonly distinct: SQL;
  /** ` from … where …` */
  readonly rows: SQL;
  /** ` order by …` or nothing. */
  readonly order: SQL;
  readonly limit: number | undefined;
  /** ` offset …` or nothing. */
  readonly offset: SQL;
  /** True if the source reads all rows that satisfy `where`: it has no `limit`, `offset` or `distinct on`. */
  readonly isWhole: boolean;
}

/** Compiles the arguments of a list or an aggregate. @throws RequestError */
export function compileSource(compilation: Compilation, request: ListRequest): ListSource {
  const { table, alias, args, join, path } = request;
  const { counter } = compilation;
  const where = args.where;
  compilation.readRows(table, {
    ...{ alias, joined: request.via, isCalled: request.source !== undefined },
    keys: () => keysOfWhere(table, where),
  });
  counter.read(table.tables, path);
  const condition =
    where &&
    compilation.atArgument(`${path}.args.where`, () =>
      compileWhere(compilation, table, alias, where),
    );
  const entry = request.source ? undefined : entryCondition(table);
  const conditions = [entry, join, condition].filter((one) => one !== undefined);
  const orderings = orderingsOf(compilation, request);
  const distinct = given(args.distinct_on) ? columnNames(args.distinct_on) : [];
  checkDistinct(distinct, orderings, path);
  const limit = pagingOf(args.limit);
  const offset = pagingOf(args.offset);
  return {
    distinct: distinctClause(distinct, table, alias),
    rows: sql` from ${request.source ?? tableName(table)} ${alias}${whereClause(conditions)}`,
    order: orderClause(breakTies(table, alias, orderings, distinct)),
    limit,
    offset: offset === undefined ? sql.blank : sql` offset ${sql.literal(offset)}`,
    isWhole: limit === undefined && offset === undefined && distinct.length === 0,
  };
}

/**
 * The condition that the role sees any row of the table at all. It reads no column of the table, so Postgres tests it
 * once, before it reads the table.
 */
export function entryCondition({ entryCheck }: TableView): SQL | undefined {
  return (
    entryCheck && sql`exists (select from ${sql.identifier(entryCheck.schema, entryCheck.name)})`
  );
}

/** Compiles ` limit …` as a literal, so that the planner can use its value. Returns nothing for undefined. */
export function limitClause(limit: number | undefined): SQL {
  return limit === undefined ? sql.blank : sql` limit ${sql.literal(limit)}`;
}

/** The column names in an enum list. Validation has checked them against the table. */
export function columnNames(input: Input): readonly string[] {
  return input.items().map((item) => String(item.constant()));
}

function given(input: Input | undefined): input is Input {
  return input !== undefined && !input.isNull();
}

function whereClause(conditions: readonly SQL[]): SQL {
  return conditions.length === 0 ? sql.blank : sql` where ${sql.join([...conditions], ' and ')}`;
}

function orderingsOf(
  compilation: Compilation,
  { table, alias, args, path }: ListRequest,
): readonly Ordering[] {
  if (!given(args.order_by)) return [];
  const orderings = withoutRepeats(compileOrderBy(compilation, table, alias, args.order_by));
  const { counter } = compilation;
  // A sort needs about as much memory as planning a table, so the sort counts as one table.
  if (orderings.length > 0) counter.read(1, path);
  compilation.atArgument(`${path}.args.order_by`, () => {
    for (const { crossings, tables } of orderings) counter.cross(crossings, tables);
  });
  return orderings;
}

// Removes repeated expressions, because sorting by the same expression a second time changes nothing.
function withoutRepeats(orderings: readonly Ordering[]): readonly Ordering[] {
  const first = new Map(orderings.toReversed().map((one) => [one.key, one]));
  return orderings.filter((one) => first.get(one.key) === one);
}

function orderClause(orderings: readonly Ordering[]): SQL {
  if (orderings.length === 0) return sql.blank;
  const list = orderings.map(({ expression, direction }) => sql`${expression} ${direction}`);
  return sql` order by ${sql.join(list, ', ')}`;
}

function distinctClause(columns: readonly string[], table: TableView, alias: SQL): SQL {
  if (columns.length === 0) return sql.blank;
  const list = columns.map((name) => columnRef(alias, table, name));
  return sql`distinct on (${sql.join(list, ', ')}) `;
}

function checkDistinct(
  distinct: readonly string[],
  orderings: readonly Ordering[],
  path: string,
): void {
  const leading = orderings.slice(0, new Set(distinct).size);
  if (leading.every(({ column }) => column !== undefined && distinct.includes(column))) return;
  throw validationFailed(
    '"distinct_on" columns must match initial "order_by" columns',
    `${path}.args`,
  );
}

/** Returns an integer argument, for use in the text of the statement. */
export function pagingOf(input: Input | undefined): number | undefined {
  if (!given(input)) return undefined;
  const value = input.constant();
  // Validation has checked that the value is a non-negative integer, as a number or as digits.
  return Number(typeof value === 'object' && value && 'rawJSON' in value ? value.rawJSON : value);
}
