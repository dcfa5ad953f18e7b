import { type SQL, sql } from 'postgraphile/pg-sql2';
import { type OperatorName, operatorSymbols, type ViewWrite } from '../../../permissions/index.ts';
import type { ColumnView } from '../schema/view/column-view.ts';
import type { Scalar } from '../schema/view/scalar.ts';
import type { RelationshipView, TableView } from '../schema/view/table-view.ts';

/** Operators that comparisons do not use: paths into jsonb, and changes of values. */
const CHANGE_SYMBOLS = ['#>', '->>', '+', '-', '||', '#-'];

const SYMBOLS: ReadonlyMap<string, SQL> = new Map(
  [...operatorSymbols, ...CHANGE_SYMBOLS].map((symbol) => [symbol, constant(symbol)]),
);

/** A template without places. Takes constants of this program alone, never a text of a client. */
function constant(text: string): SQL {
  return sql(Object.assign([text], { raw: [text] }));
}

/** Any text; Postgres's own types by name, since the search path is not relied on. */
export const TEXT: SQL = sql`::pg_catalog.text`;

/** `operator("pg_catalog".=)` */
export function operator({ schema, symbol }: Pick<OperatorName, 'schema' | 'symbol'>): SQL {
  const known = SYMBOLS.get(symbol);
  if (!known) throw new RangeError(`no operator ${symbol} is expected here`);
  return sql`operator(${sql.identifier(schema)}.${known})`;
}

/** The operator that says of two values of a column that they are equal. */
export function equality({ comparisons }: Pick<ColumnView, 'comparisons'>): SQL {
  return operator(comparisons.get('_eq') ?? { schema: 'pg_catalog', symbol: '=' });
}

/** A name that is used nowhere else in the statement. */
export function newAlias(): SQL {
  return sql.identifier(Symbol('t'));
}

/** What the rows of a table are read by: `"schema"."table"`, or a view that shows the role its cells of it. */
export function tableName({ model, rows }: TableView): SQL {
  const { schema, name } = rows ?? model;
  return sql.identifier(schema, name);
}

/** What a table is written by: `"schema"."table"`, or, of a view, one that holds the role to its rules. */
export function writtenTable({ model, writes }: TableView, write: ViewWrite): SQL {
  const { schema, name } = writes.get(write) ?? model;
  return sql.identifier(schema, name);
}

/** A table to read, as {@link tableName} has it, and its alias. */
export function from(table: TableView, alias: SQL): SQL {
  return sql`${tableName(table)} ${alias}`;
}

/** A column of a row, by its name in GraphQL. */
export function cell(row: SQL, table: TableView, name: string): SQL {
  const view = table.columns.get(name);
  if (!view) throw new Error(`${table.name} has no column ${name}`);
  return sql`${row}.${sql.identifier(view.column)}`;
}

/**
 * A value as its type underneath domains: Postgres finds no operator between an enum and a domain over it, nor between
 * an array and one of domains.
 */
export function ofBase(value: SQL, { isArray, labels, type }: Scalar): SQL {
  return labels || isArray ? sql`${value}::${type.sqlType}` : value;
}

/** That a remote row belongs to a local one. */
export function joined({ columns }: RelationshipView, local: SQL, remote: SQL): SQL {
  const pairs = columns.map(
    (pair) =>
      sql`${local}.${sql.identifier(pair.localCell)} ${operator(pair.equals)} ${remote}.${sql.identifier(pair.remoteCell)}`,
  );
  return sql.join(pairs, ' and ');
}

/** Tables that are read to compare two rows' keys: by the conditions under which they show them. */
export function joinTables(local: TableView, { columns, table }: RelationshipView): number {
  const remote = table();
  const tables = columns.map((pair) => {
    return (
      (local.shown.get(pair.local)?.tables ?? 0) + (remote.shown.get(pair.remote)?.tables ?? 0)
    );
  });
  return tables.reduce((sum, count) => sum + count, 0);
}

/** Whether the remote table's key makes sure of it; a relationship written by hand may lead to several rows. */
export function atMostOne({ columns, table }: RelationshipView): boolean {
  const { primaryKey } = table().model;
  const remote = columns.map((pair) => pair.remote);
  return primaryKey.length > 0 && primaryKey.every((name) => remote.includes(name));
}

/** The value, as text where it must be exact. */
export function exactValue(asText: boolean, isArray: boolean, value: SQL): SQL {
  if (!asText) return value;
  return isArray ? sql`${value}${TEXT}[]` : sql`${value}${TEXT}`;
}

/** `json_build_object`, in pieces where there are more pairs than a function may have arguments. */
export function jsonObject(pairs: readonly (readonly [string, SQL])[]): SQL {
  const pieces: SQL[] = [];
  for (let start = 0; start < Math.max(pairs.length, 1); start += MAX_PAIRS) {
    const args = pairs
      .slice(start, start + MAX_PAIRS)
      .map(([key, value]) => sql`${sql.literal(key)}${TEXT}, ${value}`);
    pieces.push(sql`pg_catalog.json_build_object(${sql.join(args, ', ')})`);
  }
  if (pieces.length === 1 && pieces[0]) return pieces[0];
  // Each piece without its braces, `{"a" : 1}` → `"a" : 1`.
  const inner = pieces.map(
    (piece) => sql`pg_catalog.substr(pg_catalog.left((${piece})${TEXT}, -1), 2)`,
  );
  const list = sql.join(inner, ', ');
  return sql`pg_catalog.concat('{', pg_catalog.concat_ws(', ', ${list}), '}')::pg_catalog.json`;
}

const MAX_PAIRS = 50;
