import type { FieldNode } from 'postgraphile/graphql';
import { type SQL, sql } from 'postgraphile/pg-sql2';
import { sqlTypeOf } from '../schema/registry/column-type.ts';
import type { ColumnView } from '../schema/view/column-view.ts';
import type { SubscriptionRoots } from '../schema/view/role-view.ts';
import type { TableView } from '../schema/view/table-view.ts';
import { compileAggregate } from './aggregate.ts';
import { boundedColumns } from './bounded-columns.ts';
import type { Compilation } from './compilation.ts';
import { equality, fromByKey, newAlias, ofBase } from './fragments.ts';
import { compileFunctionField } from './function-field.ts';
import { encoderOf } from './input/encode.ts';
import type { Input, Parameter } from './input/input.ts';
import { compileList } from './list/list.ts';
import { keysOfPrimaryKey } from './live/where-keys.ts';
import { compileSingle } from './rows.ts';

/** A root field that reads a table. */
export interface TableField {
  /** Response key of the field. */
  readonly key: string;
  readonly nodes: readonly FieldNode[];
}

/** The root fields that a statement can read, by name. */
export type StatementRoots = Pick<SubscriptionRoots, 'tables' | 'functions'>;

/** The SQL text of a statement, and functions that read its parameters. */
export interface StatementText {
  readonly text: string;
  readonly parameters: readonly Parameter[];
  /** True if a parameter comes from rows that earlier statements returned. */
  readonly readsWritten: boolean;
}

/**
 * Compiles all table fields of a query into one SQL statement. Its row contains one JSON text for each field, in order.
 * The fields must fit the schema of the role. @throws RequestError for problems that only compilation finds
 */
export function compileStatement(
  compilation: Compilation,
  roots: StatementRoots,
  fields: readonly TableField[],
): StatementText {
  const values = fields.map((field) => compileRootField(compilation, roots, field));
  const { columns, source } = boundedColumns(values, compilation.byteLimit);
  return compileText(sql`select ${sql.join([...columns], ', ')} from ${source}`);
}

/** Converts a whole SQL statement to its text and parameters. */
export function compileText(statement: SQL): StatementText {
  const { text, values } = sql.compile(statement);
  const parameters = values as unknown as readonly Parameter[];
  // All values are parameters (see input.ts). A value that is not a function would be a literal that pg-sql2 turned
  // into a value.
  if (!parameters.every((one) => typeof one === 'function'))
    throw new Error('a value is no parameter');
  return { text, parameters, readsWritten: parameters.some((one) => one.readsWritten) };
}

function compileRootField(
  compilation: Compilation,
  roots: StatementRoots,
  { nodes }: TableField,
): SQL {
  const [node] = nodes;
  const name = node?.name.value ?? '';
  const called = roots.functions.get(name);
  if (called) return compileFunctionField(compilation, called, nodes);
  const root = roots.tables.get(name);
  if (!root || !node) throw new Error(`${name} is not the field of a table`);
  const alias = newAlias();
  const { table, kind } = root;
  const args = compilation.argumentsOf(node);
  const path = `$.selectionSet.${name}`;
  const request = { table, alias, args, join: undefined, nodes, path };
  if (kind === 'list') return compileList(compilation, request);
  if (kind === 'aggregate') return compileAggregate(compilation, request);
  compilation.readRows(table, { alias, keys: () => keysOfPrimaryKey(table, args) });
  compilation.counter.read(table.tables, path);
  const source = sql` from ${fromByKey(table, alias)} where ${compileKey(table, alias, args)}`;
  return compileSingle(compilation, request, source);
}

/** The condition that a row has the given primary key. */
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
  return sql`${own} ${equality(column)} ${value}::${sqlTypeOf(column.scalar.type)}`;
}
