import type { FieldNode } from 'postgraphile/graphql';
import { type SQL, sql } from 'postgraphile/pg-sql2';
import type { ColumnView } from '../view/column-view.ts';
import type { RoleView } from '../view/role-view.ts';
import type { TableView } from '../view/table-view.ts';
import { compileAggregate } from './aggregate.ts';
import type { Compilation } from './compilation.ts';
import { encoderOf } from './encode.ts';
import { equality, failure, from, newAlias, ofBase, TEXT } from './fragments.ts';
import { compileFunctionField } from './function-field.ts';
import type { Input, Parameter } from './input.ts';
import { compileList } from './list.ts';
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

/** Stands in the error that Postgres raises for an answer that is too large. */
export const SIZE_LIMIT_MARK = 'rowgate size limit';

/** Expressions to select, and what they are selected from. */
export interface BoundedColumns {
  readonly columns: readonly SQL[];
  readonly source: SQL;
}

/** JSON values as texts, or an error where they are longer together. */
export function boundedColumns(values: readonly SQL[], maxBytes: number): BoundedColumns {
  const alias = newAlias();
  const names = values.map((_, index) => sql.identifier(`answer${index}`));
  const texts = values.map((value, index) => sql`${value}${TEXT} as ${names[index] ?? sql.null}`);
  const cells = names.map((name) => sql`${alias}.${name}`);
  const lengths = cells.map((text) => sql`coalesce(pg_catalog.octet_length(${text}), 0)`);
  const sum = sql.join(lengths, ' operator(pg_catalog.+) ');
  const [first, ...others] = cells;
  if (!first) throw new RangeError('there is nothing to select');
  const checked = sql`case when ${sum} operator(pg_catalog.>) ${sql.literal(maxBytes)} then ${failure(SIZE_LIMIT_MARK, sum)} else ${first} end`;
  return {
    columns: [checked, ...others],
    // `offset 0` keeps the planner from computing a value once for its length and once more for itself.
    source: sql`(select ${sql.join(texts, ', ')} offset 0) ${alias}`,
  };
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
