import type { FieldNode } from 'postgraphile/graphql';
import { type SQL, sql } from 'postgraphile/pg-sql2';
import type { TableView } from '../view/role-view.ts';
import { isExact } from '../view/scalar.ts';
import { aggregateCall } from './aggregate-call.ts';
import type { Compilation } from './compilation.ts';
import { cell, exactValue, jsonObject, newAlias, TEXT } from './fragments.ts';
import { compileList } from './list.ts';
import { columnNames, compileSource, type ListRequest, limitClause } from './list-source.ts';

type Request = ListRequest & { readonly nodes: readonly FieldNode[] };

/** `{aggregate {…} nodes {…}}` as JSON. The role's limit bounds `nodes`, never the aggregated values. */
export function compileAggregate(compilation: Compilation, request: Request): SQL {
  const source = compileSource(compilation, request);
  const values = newAlias();
  const needed = new Set<string>();
  const fields = [...compilation.fieldsBelow(request.nodes)];
  const pairs = fields.map(([key, nodes]) => {
    const name = nodes[0]?.name.value;
    if (name === '__typename') return [key, typename(`${request.table.name}_aggregate`)] as const;
    if (name === 'nodes') return [key, compileNodes(compilation, request, nodes)] as const;
    return [key, compileFunctions(compilation, request.table, values, nodes, needed)] as const;
  });
  const object = jsonObject(pairs);
  if (!fields.some(([, [node]]) => node?.name.value === 'aggregate')) return object;
  const columns = [...needed].map((name) => cell(request.alias, request.table, name));
  // `distinct on` wants at least one column.
  if (columns.length === 0) columns.push(sql`1`);
  const order = source.isWhole ? sql.blank : source.order;
  const tail = sql`${source.rows}${order}${limitClause(source.limit)}${source.offset}`;
  return sql`(select ${object} from (select ${source.distinct}${sql.join(columns, ', ')}${tail}) ${values})`;
}

function compileNodes(
  compilation: Compilation,
  request: Request,
  nodes: readonly FieldNode[],
): SQL {
  return compileList(compilation, {
    ...request,
    nodes,
    path: `${request.path}.selectionSet.nodes`,
  });
}

function compileFunctions(
  compilation: Compilation,
  table: TableView,
  values: SQL,
  nodes: readonly FieldNode[],
  needed: Set<string>,
): SQL {
  const pairs = [...compilation.fieldsBelow(nodes)].map(([key, fields]) => {
    const name = fields[0]?.name.value ?? '';
    if (name === '__typename') return [key, typename(`${table.name}_aggregate_fields`)] as const;
    if (name === 'count')
      return [key, compileCount(compilation, table, { values, fields, needed })] as const;
    return [key, compileFunction(compilation, table, { name, values, fields, needed })] as const;
  });
  return jsonObject(pairs);
}

interface FunctionRequest {
  readonly name: string;
  readonly values: SQL;
  readonly fields: readonly FieldNode[];
  readonly needed: Set<string>;
}

function compileFunction(
  compilation: Compilation,
  table: TableView,
  { name, values, fields, needed }: FunctionRequest,
): SQL {
  const pairs = [...compilation.fieldsBelow(fields)].map(([key, nodes]) => {
    const column = table.columns.get(nodes[0]?.name.value ?? '');
    if (!column) return [key, typename(`${table.name}_${name}_fields`)] as const;
    needed.add(column.name);
    const asText = compilation.options.stringifyNumericTypes && isExact(column.scalar.type);
    const value = aggregateCall(name, column, values);
    return [key, exactValue(asText, column.scalar.isArray, value)] as const;
  });
  return jsonObject(pairs);
}

// Several columns are counted as one row value, which is never null itself.
function compileCount(
  compilation: Compilation,
  table: TableView,
  { values, fields: [node], needed }: Omit<FunctionRequest, 'name'>,
): SQL {
  const args = node ? compilation.argumentsOf(node) : {};
  const names = args.columns && !args.columns.isNull() ? columnNames(args.columns) : [];
  if (names.length === 0) return sql`pg_catalog.count(*)`;
  for (const name of names) needed.add(name);
  const columns = names.map((name) => cell(values, table, name));
  const distinct = args.distinct?.constant() === true ? sql`distinct ` : sql.blank;
  const value = columns.length === 1 ? sql.join(columns, '') : sql`(${sql.join(columns, ', ')})`;
  return sql`pg_catalog.count(${distinct}${value})`;
}

function typename(name: string): SQL {
  return sql`${sql.literal(name)}${TEXT}`;
}
