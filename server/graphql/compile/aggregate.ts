import type { FieldNode } from 'postgraphile/graphql';
import { type SQL, sql } from 'postgraphile/pg-sql2';
import { isExact } from '../schema/view/scalar.ts';
import type { TableView } from '../schema/view/table-view.ts';
import { aggregateCall, countCall } from './aggregate-call.ts';
import type { Compilation } from './compilation.ts';
import { compileValue } from './computed.ts';
import { columnRef, exactValue, jsonObject, newAlias, TEXT } from './fragments.ts';
import { compileList } from './list/list.ts';
import { columnNames, compileSource, type ListRequest, limitClause } from './list/list-source.ts';

type Request = ListRequest & { readonly nodes: readonly FieldNode[] };

/**
 * Compiles `{aggregate {…} nodes {…}}` as JSON. The row limit of the role applies to `nodes`, never to the aggregated
 * values.
 */
export function compileAggregate(compilation: Compilation, request: Request): SQL {
  const source = compileSource(compilation, request);
  const values = newAlias();
  const needed = new NeededValues(request);
  const fields = [...compilation.fieldsBelow(request.nodes)];
  const pairs = fields.map(([key, nodes]) => {
    const name = nodes[0]?.name.value;
    if (name === '__typename') return [key, typename(`${request.table.name}_aggregate`)] as const;
    if (name === 'nodes') return [key, compileNodes(compilation, request, nodes)] as const;
    const path = `${request.path}.selectionSet.${name}`;
    const input = { values, needed, path };
    return [key, compileFunctions(compilation, request.table, nodes, input)] as const;
  });
  const object = jsonObject(pairs);
  if (!fields.some(([, [node]]) => node?.name.value === 'aggregate')) return object;
  const order = source.isWhole ? sql.blank : source.order;
  const tail = sql`${source.rows}${order}${limitClause(source.limit)}${source.offset}`;
  // `having` alone makes all rows one group, so the statement returns one row even without an aggregate function.
  return sql`(select ${object} from (select ${source.distinct}${needed.columns}${tail}) ${values} having true)`;
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

/** The values that aggregate functions read. */
interface AggregateInput {
  /** Alias of the subquery that returns the rows to aggregate. */
  readonly values: SQL;
  readonly needed: NeededValues;
  readonly path: string;
}

function compileFunctions(
  compilation: Compilation,
  table: TableView,
  nodes: readonly FieldNode[],
  input: AggregateInput,
): SQL {
  const pairs = [...compilation.fieldsBelow(nodes)].map(([key, fields]) => {
    const name = fields[0]?.name.value ?? '';
    if (name === '__typename') return [key, typename(`${table.name}_aggregate_fields`)] as const;
    if (name === 'count') return [key, compileCount(compilation, fields, input)] as const;
    const below = { ...input, path: `${input.path}.selectionSet.${name}` };
    return [key, compileFunction(compilation, table, { ...below, name, fields })] as const;
  });
  return jsonObject(pairs);
}

interface FunctionRequest extends AggregateInput {
  readonly name: string;
  readonly fields: readonly FieldNode[];
}

function compileFunction(
  compilation: Compilation,
  table: TableView,
  { name, values, fields, needed, path }: FunctionRequest,
): SQL {
  const { stringifyNumericTypes } = compilation.options;
  const pairs = [...compilation.fieldsBelow(fields)].map(([key, [node]]) => {
    const field = node?.name.value ?? '';
    const column = table.columns.get(field);
    const computed = table.computed.get(field);
    const value = column ?? computed;
    if (!value || !node) return [key, typename(`${table.name}_${name}_fields`)] as const;
    const { args } = compilation.argumentsOf(node);
    if (column) compilation.counter.read(column.tables, path);
    const source = column
      ? needed.column(values, column.name)
      : needed.add(values, (row) => {
          const given = { args, path: `${path}.selectionSet.${field}` };
          if (computed?.source.kind !== 'column')
            compilation.counter.read(table.tables, given.path);
          return computed ? compileValue(compilation, row, computed, given) : sql.null;
        });
    const result = aggregateCall(name, value, source);
    const asText = stringifyNumericTypes && isExact(value.scalar.type);
    return [key, exactValue(asText, value.scalar.isArray, result)] as const;
  });
  return jsonObject(pairs);
}

function compileCount(
  compilation: Compilation,
  [node]: readonly FieldNode[],
  { values, needed }: AggregateInput,
): SQL {
  const args = node ? compilation.argumentsOf(node) : {};
  const names = args.columns && !args.columns.isNull() ? columnNames(args.columns) : [];
  const columns = names.map((name) => needed.column(values, name));
  return countCall(columns, args.distinct?.constant() === true);
}

/**
 * Collects the columns and computed values that the subquery must return for the aggregate functions. Each column is
 * returned once, even when several functions use it.
 */
class NeededValues {
  readonly #row: Pick<ListRequest, 'table' | 'alias'>;
  readonly #columns = new Map<string, SQL>();
  readonly #computed: SQL[] = [];

  constructor(row: Pick<ListRequest, 'table' | 'alias'>) {
    this.#row = row;
  }

  /** Adds a column to the values and returns a reference to it. */
  column(values: SQL, name: string): SQL {
    this.#columns.set(name, columnRef(this.#row.alias, this.#row.table, name));
    return columnRef(values, this.#row.table, name);
  }

  /** Adds an expression on the row to the values and returns a reference to the added value. */
  add(values: SQL, make: (row: Pick<ListRequest, 'table' | 'alias'>) => SQL): SQL {
    const name = newAlias();
    this.#computed.push(sql`${make(this.#row)} as ${name}`);
    return sql`${values}.${name}`;
  }

  get columns(): SQL {
    const all = [...this.#columns.values(), ...this.#computed];
    // A subquery with `distinct on` must return at least one column, even when only its rows are counted.
    return all.length > 0 ? sql.join(all, ', ') : sql`1`;
  }
}

function typename(name: string): SQL {
  return sql`${sql.literal(name)}${TEXT}`;
}
