import type { FieldNode } from 'postgraphile/graphql';
import { type SQL, sql } from 'postgraphile/pg-sql2';
import type { FunctionRoot } from '../schema/view/function-view.ts';
import { compileAggregate } from './aggregate.ts';
import type { Compilation } from './compilation.ts';
import { compileCall } from './computed.ts';
import { newAlias } from './fragments.ts';
import { compileList } from './list/list.ts';
import { compileSource, type ListRequest, limitClause } from './list/list-source.ts';
import { compileSingle } from './rows.ts';

/**
 * Compiles a query field that calls a function, as JSON. Postgres may skip calls whose result the client does not
 * select, which is harmless because a query function has no side effects.
 * @throws RequestError for problems that only compilation finds
 */
export function compileFunctionField(
  compilation: Compilation,
  root: FunctionRoot,
  nodes: readonly FieldNode[],
): SQL {
  const called = compileRootCall(compilation, root, nodes);
  if (root.kind !== 'aggregate') return compileShown(compilation, root, nodes, called);
  // Aggregates and nodes share one call, because a second call may return other rows.
  const rows = newAlias();
  const value = compileShown(compilation, root, nodes, rows);
  return sql`(${rowsOnce(rows, called)} select ${value})`;
}

/** Compiles `with rows as …`, which holds all rows of one call. */
export function rowsOnce(rows: SQL, called: SQL): SQL {
  return sql`with ${rows} as materialized (select * from ${called})`;
}

/** Compiles the call of a root field's function. */
export function compileRootCall(
  compilation: Compilation,
  { call }: FunctionRoot,
  nodes: readonly FieldNode[],
): SQL {
  const { args, path } = givenTo(compilation, nodes);
  return compileCall(compilation, undefined, call, { args: args.args, path });
}

/** Compiles the selected parts of the rows of `source`, as JSON. */
export function compileShown(
  compilation: Compilation,
  { call, table, kind }: FunctionRoot,
  nodes: readonly FieldNode[],
  source: SQL,
): SQL {
  const alias = newAlias();
  const given = givenTo(compilation, nodes);
  const request = { ...given, nodes, table, alias, join: undefined, source };
  if (kind === 'list') return compileList(compilation, request);
  if (kind === 'aggregate') return compileAggregate(compilation, request);
  // A function that returns a single row returns a row of nulls when it finds nothing. The condition removes that row.
  // Functions created by Rowgate return no row instead.
  const join = call.own ? undefined : sql`not (${alias}.* is null)`;
  const { rows, order, limit, offset } = compileSource(compilation, { ...request, join });
  const atMostOne = limitClause(Math.min(limit ?? 1, 1));
  return compileSingle(compilation, request, sql`${rows}${order}${atMostOne}${offset}`);
}

function givenTo(
  compilation: Compilation,
  [node]: readonly FieldNode[],
): Pick<ListRequest, 'args' | 'path'> {
  return {
    args: node ? compilation.argumentsOf(node) : {},
    path: `$.selectionSet.${node?.name.value}`,
  };
}
