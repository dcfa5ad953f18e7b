import type { FieldNode } from 'postgraphile/graphql';
import { type SQL, sql } from 'postgraphile/pg-sql2';
import type { VariableUse } from '../../../permissions/index.ts';
import type { ColumnView, RoleView, TableView } from '../view/role-view.ts';
import { compileAggregate } from './aggregate.ts';
import type { Compilation } from './compilation.ts';
import { encoderOf } from './encode.ts';
import { failure, from, newAlias, operator, TEXT } from './fragments.ts';
import type { Parameter } from './input.ts';
import { compileList } from './list.ts';
import { compileSingle } from './rows.ts';

/** A root field that reads a table. */
export interface TableField {
  /** In the response. */
  readonly key: string;
  readonly nodes: readonly FieldNode[];
}

/** One SQL statement for all table fields of an operation; its row has a JSON text for each, in order. */
export interface CompiledStatement {
  readonly text: string;
  readonly parameters: readonly Parameter[];
  /** Session variables that the rules of the touched tables read. */
  readonly uses: readonly VariableUse[];
}

/** Compiles table fields that fit the role's schema. @throws RequestError for what only compilation finds */
export function compileStatement(
  compilation: Compilation,
  view: RoleView,
  fields: readonly TableField[],
): CompiledStatement {
  const share = Math.floor(compilation.options.maxBytes / fields.length);
  const columns = fields.map((field) => bounded(compileRootField(compilation, view, field), share));
  const { text, values } = sql.compile(sql`select ${sql.join(columns, ', ')}`);
  return {
    text,
    // Every value was put there as a parameter; see input.ts.
    parameters: values as unknown as readonly Parameter[],
    uses: usesOf(compilation.tables),
  };
}

/** Stands in the error that Postgres raises for an answer that is too large. */
export const SIZE_LIMIT_MARK = 'rowgate size limit';

// `offset 0` keeps the planner from computing the value once for its length and once more for itself.
function bounded(value: SQL, maxBytes: number): SQL {
  const alias = newAlias();
  const length = sql`pg_catalog.octet_length(${alias}.answer)`;
  return sql`(select case when ${length} operator(pg_catalog.>) ${sql.literal(maxBytes)} then ${failure(SIZE_LIMIT_MARK, length)} else ${alias}.answer end from (select ${value}${TEXT} as answer offset 0) ${alias})`;
}

function compileRootField(compilation: Compilation, view: RoleView, { nodes }: TableField): SQL {
  const [node] = nodes;
  const name = node?.name.value ?? '';
  const root = view.roots.get(name);
  if (!root || !node) throw new Error(`${name} is not the field of a table`);
  const alias = newAlias();
  const { table, kind } = root;
  const args = compilation.argumentsOf(node);
  const path = `$.selectionSet.${name}`;
  const request = { table, alias, args, join: undefined, nodes, path };
  if (kind === 'list') return compileList(compilation, request);
  if (kind === 'aggregate') return compileAggregate(compilation, request);
  compilation.tables.add(table);
  const conditions = table.primaryKey.map((column) => {
    const value = args[column.name]?.parameter(encoderOf(column.scalar));
    if (!value) throw new Error(`the argument ${column.name} passed the check but is not given`);
    return keyCondition(column, alias, value);
  });
  const source = sql` from ${from(table, alias)} where ${sql.join(conditions, ' and ')}`;
  return compileSingle(compilation, request, source);
}

function keyCondition(column: ColumnView, alias: SQL, value: SQL): SQL {
  const equals = column.comparisons.get('_eq') ?? { schema: 'pg_catalog', symbol: '=' };
  return sql`${alias}.${sql.identifier(column.column)} ${operator(equals)} ${value}::${column.scalar.type.sqlType}`;
}

function usesOf(tables: ReadonlySet<TableView>): readonly VariableUse[] {
  const uses = [...tables].flatMap((table) => table.select.variables);
  return [...new Map(uses.map((use) => [JSON.stringify(use), use])).values()];
}
