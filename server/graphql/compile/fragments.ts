import { type SQL, sql } from 'postgraphile/pg-sql2';
import { type OperatorName, operatorSymbols, type ViewWrite } from '../../../permissions/index.ts';
import { sqlTypeOf } from '../schema/registry/column-type.ts';
import type { ColumnView } from '../schema/view/column-view.ts';
import type { Scalar } from '../schema/view/scalar.ts';
import type { RelationshipView, TableView } from '../schema/view/table-view.ts';

/**
 * Symbols that {@link operator} accepts in addition to those of comparisons: access to parts of jsonb, and operators
 * that change values.
 */
const CHANGE_SYMBOLS = ['#>', '->>', '+', '-', '||', '#-'];

const SYMBOLS: ReadonlyMap<string, SQL> = new Map(
  [...operatorSymbols, ...CHANGE_SYMBOLS].map((symbol) => [symbol, constant(symbol)]),
);

/** Makes an SQL template without placeholders. Takes constants of this program only, never a text from a client. */
function constant(text: string): SQL {
  return sql(Object.assign([text], { raw: [text] }));
}

/** A cast to text. Types of Postgres carry their schema, because the search path is not trusted. */
export const TEXT: SQL = sql`::pg_catalog.text`;

/** Compiles an operator, for example `operator("pg_catalog".=)`. */
export function operator({ schema, symbol }: Pick<OperatorName, 'schema' | 'symbol'>): SQL {
  const known = SYMBOLS.get(symbol);
  if (!known) throw new RangeError(`no operator ${symbol} is expected here`);
  return sql`operator(${sql.identifier(schema)}.${known})`;
}

/** Compiles the operator that tests two values of a column for equality. */
export function equality({ comparisons }: Pick<ColumnView, 'comparisons'>): SQL {
  return operator(comparisons.get('_eq') ?? { schema: 'pg_catalog', symbol: '=' });
}

/** Makes an alias that is unique in the statement. */
export function newAlias(): SQL {
  return sql.identifier(Symbol('t'));
}

/**
 * The relation that a role reads the rows from: `"schema"."table"`, or a view that applies the column masks of the
 * role.
 */
export function tableName({ model, rows }: TableView): SQL {
  const { schema, name } = rows ?? model;
  return sql.identifier(schema, name);
}

/**
 * The relation that a role writes to: `"schema"."table"`, or a view that enforces the rules when the table is itself a
 * view.
 */
export function writtenTable({ model, writes }: TableView, write: ViewWrite): SQL {
  const { schema, name } = writes.get(write) ?? model;
  return sql.identifier(schema, name);
}

/** The relation to read, see {@link tableName}, with its alias. */
export function from(table: TableView, alias: SQL): SQL {
  return sql`${tableName(table)} ${alias}`;
}

/** The relation to read a single row by its key from, with its alias. */
export function fromByKey(table: TableView, alias: SQL): SQL {
  const { keyRows } = table;
  return keyRows
    ? sql`${sql.identifier(keyRows.schema, keyRows.name)} ${alias}`
    : from(table, alias);
}

/** A column of a row, found by its GraphQL name. */
export function columnRef(row: SQL, table: TableView, name: string): SQL {
  const view = table.columns.get(name);
  if (!view) throw new Error(`${table.name} has no column ${name}`);
  return sql`${row}.${sql.identifier(view.column)}`;
}

/**
 * Casts a value to the base type of its domain. Postgres finds no operator between an enum and a domain over this enum,
 * nor between an array and an array of domains.
 */
export function ofBase(value: SQL, { isArray, labels, type }: Scalar): SQL {
  return labels || isArray ? sql`${value}::${sqlTypeOf(type)}` : value;
}

/**
 * The join condition of a relationship between a row of its own table (`local`) and a row of the related table
 * (`remote`).
 */
export function joined({ columns }: RelationshipView, local: SQL, remote: SQL): SQL {
  const pairs = columns.map(
    (pair) =>
      sql`${local}.${sql.identifier(pair.localColumn)} ${operator(pair.equals)} ${remote}.${sql.identifier(pair.remoteColumn)}`,
  );
  return sql.join(pairs, ' and ');
}

/**
 * Number of tables that Postgres reads to evaluate a join condition. The number is not 0 when column masks of the key
 * columns read tables.
 */
export function joinTables(local: TableView, { columns, table }: RelationshipView): number {
  const remote = table();
  const tables = columns.map((pair) => {
    return (
      (local.shown.get(pair.local)?.tables ?? 0) + (remote.shown.get(pair.remote)?.tables ?? 0)
    );
  });
  return tables.reduce((sum, count) => sum + count, 0);
}

/**
 * Returns true if the remote primary key guarantees at most one row. A manually configured relationship may lead to
 * several rows, because no constraint guarantees a single row.
 */
export function atMostOne({ columns, table }: RelationshipView): boolean {
  const { primaryKey } = table().model;
  const remote = columns.map((pair) => pair.remote);
  return primaryKey.length > 0 && primaryKey.every((name) => remote.includes(name));
}

/**
 * Returns the value, cast to text if `asText`. A JSON number would lose digits in clients that read it as a
 * floating-point number.
 */
export function exactValue(asText: boolean, isArray: boolean, value: SQL): SQL {
  if (!asText) return value;
  return isArray ? sql`${value}${TEXT}[]` : sql`${value}${TEXT}`;
}

/** Calls `json_build_object`, split into pieces when the pairs exceed the maximum number of function arguments. */
export function jsonObject(pairs: readonly (readonly [string, SQL])[]): SQL {
  const pieces: SQL[] = [];
  for (let start = 0; start < Math.max(pairs.length, 1); start += MAX_PAIRS) {
    const args = pairs
      .slice(start, start + MAX_PAIRS)
      .map(([key, value]) => sql`${sql.literal(key)}${TEXT}, ${value}`);
    pieces.push(sql`pg_catalog.json_build_object(${sql.join(args, ', ')})`);
  }
  if (pieces.length === 1 && pieces[0]) return pieces[0];
  // Removes the braces of each piece: `{"a" : 1}` → `"a" : 1`.
  const inner = pieces.map(
    (piece) => sql`pg_catalog.substr(pg_catalog.left((${piece})${TEXT}, -1), 2)`,
  );
  const list = sql.join(inner, ', ');
  return sql`pg_catalog.concat('{', pg_catalog.concat_ws(', ', ${list}), '}')::pg_catalog.json`;
}

const MAX_PAIRS = 50;
