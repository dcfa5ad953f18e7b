import type { FieldNode } from 'postgraphile/graphql';
import { type SQL, sql } from 'postgraphile/pg-sql2';
import type { ColumnView } from '../schema/view/column-view.ts';
import type { RoleView } from '../schema/view/role-view.ts';
import type { TableView } from '../schema/view/table-view.ts';
import { compileAggregate } from './aggregate.ts';
import type { Compilation } from './compilation.ts';
import { equality, failure, from, newAlias, ofBase, SIZE_LIMIT_MARK, TEXT } from './fragments.ts';
import { compileFunctionField } from './function-field.ts';
import { encoderOf } from './input/encode.ts';
import type { Input, Parameter } from './input/input.ts';
import { compileList } from './list/list.ts';
import { compileSingle } from './rows.ts';

/** A root field that reads a table. */
export interface TableField {
  /** In the response. */
  readonly key: string;
  readonly nodes: readonly FieldNode[];
}

/** A statement as Postgres gets it, and where its values come from. */
export interface StatementText {
  readonly text: string;
  readonly parameters: readonly Parameter[];
}

/**
 * One SQL statement for all table fields of a query; its row has a JSON text for each, in order. The fields fit the
 * role's schema. @throws RequestError for what only compilation finds
 */
export function compileStatement(
  compilation: Compilation,
  view: RoleView,
  fields: readonly TableField[],
): StatementText {
  const values = fields.map((field) => compileRootField(compilation, view, field));
  const { columns, source } = boundedColumns(values, compilation.options.maxBytes);
  return compileText(sql`select ${sql.join([...columns], ', ')} from ${source}`);
}

/** A whole statement. */
export function compileText(statement: SQL): StatementText {
  const { text, values } = sql.compile(statement);
  const parameters = values as unknown as readonly Parameter[];
  // Every value was put there as a parameter (see input.ts), unless a literal turned into one.
  if (!parameters.every((one) => typeof one === 'function'))
    throw new Error('a value is no parameter');
  return { text, parameters };
}

/** Expressions to select, and what they are selected from. */
export interface BoundedColumns {
  readonly columns: readonly SQL[];
  readonly source: SQL;
}

/**
 * JSON values as texts, or an error where they are longer together. They are computed one after the other, none once
 * those before it are too long: Postgres would hold all of them until the last one is there.
 */
export function boundedColumns(values: readonly SQL[], maxBytes: number): BoundedColumns {
  const [first, ...others] = values.map((value) => ({ alias: newAlias(), value }));
  if (!first) throw new RangeError('there is nothing to select');
  // `offset 0` keeps the planner from computing a value once for its length and once more for itself.
  const sources = [sql`(select ${first.value}${TEXT} as answer offset 0) ${first.alias}`];
  let bytes = lengthOf(first.alias);
  for (const { alias, value } of others) {
    const text = unlessLonger(bytes, maxBytes, sql`${value}${TEXT}`);
    const source = sql`(select ${bytes} as before, ${text} as answer offset 0)`;
    // Postgres tries out no other order of so many that are joined in so many words.
    sources.push(sql`cross join lateral ${source} ${alias}`);
    bytes = sql`(${alias}.before operator(pg_catalog.+) ${lengthOf(alias)})`;
  }
  const checked = unlessLonger(bytes, maxBytes, sql`${first.alias}.answer`);
  return {
    columns: [checked, ...others.map(({ alias }) => sql`${alias}.answer`)],
    source: sql.join(sources, ' '),
  };
}

function lengthOf(alias: SQL): SQL {
  return sql`coalesce(pg_catalog.octet_length(${alias}.answer), 0)`;
}

function unlessLonger(bytes: SQL, maxBytes: number, text: SQL): SQL {
  return sql`case when ${bytes} operator(pg_catalog.>) ${sql.literal(maxBytes)} then ${failure(SIZE_LIMIT_MARK, bytes)} else ${text} end`;
}

/** One JSON value as text, or an error where it is longer. */
export function bounded(value: SQL, maxBytes: number): SQL {
  const { columns, source } = boundedColumns([value], maxBytes);
  return sql`(select ${sql.join([...columns], ', ')} from ${source})`;
}

function compileRootField(compilation: Compilation, view: RoleView, { nodes }: TableField): SQL {
  const [node] = nodes;
  const name = node?.name.value ?? '';
  const called = view.functions.queries.get(name);
  if (called) return compileFunctionField(compilation, called, nodes);
  const root = view.roots.get(name);
  if (!root || !node) throw new Error(`${name} is not the field of a table`);
  const alias = newAlias();
  const { table, kind } = root;
  const args = compilation.argumentsOf(node);
  const path = `$.selectionSet.${name}`;
  const request = { table, alias, args, join: undefined, nodes, path };
  if (kind === 'list') return compileList(compilation, request);
  if (kind === 'aggregate') return compileAggregate(compilation, request);
  compilation.use(table.select);
  compilation.extent.read(table.tables, path);
  const source = sql` from ${from(table, alias)} where ${compileKey(table, alias, args)}`;
  return compileSingle(compilation, request, source);
}

/** That a row has the given primary key. */
export function compileKey(
  table: TableView,
  alias: SQL,
  key: Readonly<Record<string, Input>>,
): SQL {
  const conditions = table.primaryKey.map((column) => {
    const value = key[column.name]?.parameter(encoderOf(column.scalar));
    if (!value) throw new Error(`the key ${column.name} passed the check but is not given`);
    return keyCondition(column, alias, value);
  });
  return sql.join(conditions, ' and ');
}

function keyCondition(column: ColumnView, alias: SQL, value: SQL): SQL {
  const own = ofBase(sql`${alias}.${sql.identifier(column.column)}`, column.scalar);
  return sql`${own} ${equality(column)} ${value}::${column.scalar.type.sqlType}`;
}
