import pg from 'pg';
import {
  fitsType,
  type Model,
  rowsView,
  type TableKey,
  type TableModel,
  type TypeName,
  type VariableUse,
} from '../../../../permissions/index.ts';
import type { Caller } from '../../../caller/authenticate.ts';
import { statementName } from '../../../db/requests/request-pool.ts';
import type { JsonStatement } from '../../../db/requests/transaction.ts';

/** Selects rows of a table in the schema `public`. */
export interface RowQuery {
  readonly table: string;
  /** Columns with the required value, or with a list of accepted values. */
  readonly where?: Readonly<Record<string, string | readonly string[]>>;
  /** Columns in order of precedence. Columns that the role may not see are ignored. */
  readonly orderBy?: readonly string[];
  /** The maximum number of rows. */
  readonly limit?: number;
}

/** The statement for Postgres. */
export interface Select {
  readonly statement: JsonStatement;
  /** The columns in the order of each row's values. */
  readonly columns: readonly string[];
  /** The maximum number of returned rows. The statement reads one row more, to detect whether further rows exist. */
  readonly max: number;
}

/**
 * Makes the statement that reads rows under the rules of a role. Undefined when the role may not see the table or a
 * column of the condition, or the caller lacks a session variable; `'none'` when no row can have the required value.
 * Names come from the model only. Postgres enforces the rules; the model only avoids statements that Postgres would
 * refuse.
 */
export function makeSelect(
  query: RowQuery,
  { role, variables }: Caller,
  model: Model,
  maxRows: number,
): Select | 'none' | undefined {
  const key: TableKey = `public.${query.table}`;
  const table = model.tables.get(key);
  const rule = role.tables.get(key)?.select;
  if (!table || !rule || rule.columns.length === 0) return undefined;
  if (!rule.variables.every((use) => isCarried(use, variables))) return undefined;
  const where = Object.entries(query.where ?? {});
  if (!where.every(([column]) => rule.columns.includes(column))) return undefined;
  const conditions = where.map(([column, value], index) =>
    condition(typeOf(table, column), column, value, index + 1),
  );
  if (conditions.includes(undefined)) return 'none';
  const max = Math.min(maxRows, rule.limit ?? maxRows, query.limit ?? maxRows);
  const order = (query.orderBy ?? []).filter((column) => rule.columns.includes(column));
  const expressions = rule.columns.map((column) => columnAsText(typeOf(table, column), column));
  const text = [
    `select coalesce(pg_catalog.json_agg(r.cells), '[]')::pg_catalog.text from (`,
    `select array[${expressions.join(', ')}] as cells from ${nameOf(rowsView(role, table) ?? table)} t`,
    conditions.length > 0 ? `where ${conditions.join(' and ')}` : '',
    order.length > 0 ? `order by ${order.map(columnName).join(', ')}` : '',
    `limit ${max + 1}) r`,
  ].join(' ');
  const name = statementName(role.postgresName, text);
  const values = where.map(([, value]) => value);
  return { statement: { text, values, name }, columns: rule.columns, max };
}

function isCarried(use: VariableUse, variables: Caller['variables']): boolean {
  const value = variables.get(use.variable);
  return value !== undefined && fitsType(value, use.type);
}

function typeOf(table: TableModel, column: string): TypeName {
  const found = table.columns.get(column);
  if (!found) throw new Error(`the model lacks column ${column} of ${table.key}`);
  return found.type;
}

function condition(
  type: TypeName,
  column: string,
  value: string | readonly string[],
  position: number,
): string | undefined {
  if (![value].flat().every((one) => fitsType(one, type))) return undefined;
  const typeName = `${pg.escapeIdentifier(type.schema)}.${pg.escapeIdentifier(type.name)}`;
  const operand =
    typeof value === 'string'
      ? `$${position}::${typeName}`
      : `any($${position}::pg_catalog.text[]::${typeName}[])`;
  return `${columnName(column)} operator(pg_catalog.=) ${operand}`;
}

/** Selects a column as text: numbers exact, times in ISO 8601, independent of the connection's settings. */
function columnAsText({ schema, name }: TypeName, column: string): string {
  const isJson = schema === 'pg_catalog' && ['json', 'jsonb'].includes(name);
  // JSON is cast to text instead, because `#>> '{}'` would remove the quotes of a JSON string.
  if (isJson) return `${columnName(column)}::pg_catalog.text`;
  return `pg_catalog.to_json(${columnName(column)}) operator(pg_catalog.#>>) '{}'::pg_catalog.text[]`;
}

function columnName(column: string): string {
  return `t.${pg.escapeIdentifier(column)}`;
}

function nameOf({ schema, name }: Pick<TableModel, 'schema' | 'name'>): string {
  return `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;
}
