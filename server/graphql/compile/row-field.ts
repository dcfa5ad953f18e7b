import type { FieldNode } from 'postgraphile/graphql';
import { type SQL, sql } from 'postgraphile/pg-sql2';
import { RequestError } from '../request-error.ts';
import type { ValueView } from '../schema/view/column-view.ts';
import { aggregated } from '../schema/view/relationship-view.ts';
import { isExact } from '../schema/view/scalar.ts';
import type { RelationshipView } from '../schema/view/table-view.ts';
import { compileAggregate } from './aggregate.ts';
import type { Compilation, RowRequest } from './compilation.ts';
import { compileCall, compileValue } from './computed.ts';
import {
  atMostOne,
  columnRef,
  exactValue,
  from,
  fromByKey,
  joined,
  joinTables,
  newAlias,
  operator,
  TEXT,
} from './fragments.ts';
import type { Input } from './input/input.ts';
import { compileList } from './list/list.ts';
import { compileSingle } from './rows.ts';

/** Compiles one field of a row: a column, a computed field, a relationship or an aggregate of related rows. */
export function compileField(
  compilation: Compilation,
  request: RowRequest,
  nodes: readonly FieldNode[],
): SQL {
  const { table, alias } = request;
  const [node] = nodes;
  const name = node?.name.value ?? '';
  if (name === '__typename') return sql`${sql.literal(table.name)}${TEXT}`;
  const path = `${request.path}.selectionSet.${name}`;
  const column = table.columns.get(name);
  if (column && node) {
    compilation.counter.read(column.tables, path);
    const value = columnRef(alias, table, name);
    return columnValue(compilation, column, value, compilation.argumentsOf(node).path, path);
  }
  const computed = table.computed.get(name);
  if (computed && node) {
    const args = compilation.argumentsOf(node);
    if (computed.source.kind !== 'column') compilation.counter.read(table.tables, path);
    const given = { args: args.args, path };
    const value = compileValue(compilation, request, computed, given);
    return columnValue(compilation, computed, value, args.path, path);
  }
  const rows = table.computedRows.get(name);
  if (rows && node) {
    const args = compilation.argumentsOf(node);
    const source = compileCall(compilation, request, rows, { args: args.args, path });
    const other = { table: rows.table(), alias: newAlias(), join: undefined, source };
    return compileList(compilation, { ...other, args, nodes, path });
  }
  const relationship = table.relationships.get(name);
  const related = relationship ?? aggregated(table.relationships, name);
  if (!related) throw new Error(`${table.name} has no field ${name}`);
  compilation.counter.read(joinTables(table, related), path);
  if (relationship) return compileRelated(compilation, relationship, { alias, nodes, path });
  const other = newAlias();
  const join = joined(related, alias, other);
  const via = { relationship: related, local: alias };
  return compileAggregate(compilation, {
    ...{ table: related.table(), alias: other, join, via, nodes, path },
    args: node ? compilation.argumentsOf(node) : {},
  });
}

function compileRelated(
  compilation: Compilation,
  relationship: RelationshipView,
  { alias, nodes, path }: Pick<RowRequest, 'alias' | 'nodes' | 'path'>,
): SQL {
  const table = relationship.table();
  const other = newAlias();
  const join = joined(relationship, alias, other);
  const via = { relationship, local: alias };
  if (relationship.kind === 'object') {
    compilation.readRows(table, { alias: other, joined: via });
    compilation.counter.read(table.tables, path);
    const isKey = atMostOne(relationship);
    const limit = isKey ? sql.blank : sql` limit 1`;
    const rows = isKey ? fromByKey(table, other) : from(table, other);
    const source = sql` from ${rows} where ${join}${limit}`;
    return compileSingle(compilation, { table, alias: other, nodes, path }, source);
  }
  const [node] = nodes;
  const args = node ? compilation.argumentsOf(node) : {};
  return compileList(compilation, { table, alias: other, args, join, via, nodes, path });
}

function columnValue(
  { options }: Compilation,
  { scalar }: ValueView,
  value: SQL,
  jsonPath: Input | undefined,
  path: string,
): SQL {
  if (jsonPath && !jsonPath.isNull()) {
    const steps = jsonPath.parameter((text) => parseJsonPath(String(text), `${path}.args.path`));
    return sql`${value} ${operator({ schema: 'pg_catalog', symbol: '#>' })} ${steps}::pg_catalog.text[]`;
  }
  return exactValue(options.stringifyNumericTypes && isExact(scalar.type), scalar.isArray, value);
}

/**
 * Splits the JSON path of a client's `path` argument, such as `$.a.b[0]['a key']`, into `['a', 'b', '0', 'a key']`.
 * @throws RequestError with code parse-failed
 */
function parseJsonPath(text: string, path: string): readonly string[] {
  const step = /\.?(?:\[(\d+)\]|\['([^']*)'\]|\["([^"]*)"\])|(?:^|\.)([^.[\]'"]+)/y;
  const steps: string[] = [];
  step.lastIndex = text.startsWith('$') ? 1 : 0;
  while (step.lastIndex < text.length) {
    const start = step.lastIndex;
    const match = step.exec(text);
    if (!match) {
      const message = `the JSON path ${JSON.stringify(text)} cannot be read from character ${start + 1} on`;
      throw new RequestError('parse-failed', message, path);
    }
    steps.push(match.slice(1).find((part) => part !== undefined) ?? '');
  }
  return steps;
}
