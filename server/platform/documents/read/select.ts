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
import { type JsonStatement, statementName } from '../../../db/requests/request-pool.ts';

/** Which rows of a table of schema `public` are read. */
export interface Wanted {
  readonly table: string;
  /** Columns that have this value, or one of these. */
  readonly where?: Readonly<Record<string, string | readonly string[]>>;
  /** Columns, the first counts most; those that the role may not see are passed over. */
  readonly orderBy?: readonly string[];
  /** As many as are wanted at most. */
  readonly limit?: number;
}

/** What is asked of Postgres. */
export interface Select {
  readonly statement: JsonStatement;
  /** In the order of the cells of each row. */
  readonly columns: readonly string[];
  /** How many rows the caller may be told of; the statement reads one more, to tell whether there are more. */
  readonly most: number;
}

/**
 * The statement that reads rows under the rules of a role; undefined where the role may not see the table or a column
 * of the condition, or lacks a variable; `'none'` where no row can have such a value. Names come from the model alone.
 * What holds the role to its rules is Postgres: the model only saves asking what would be refused.
 */
export function makeSelect(
  wanted: Wanted,
  { role, variables }: Caller,
  model: Model,
  maxRows: number,
): Select | 'none' | undefined {
  const key: TableKey = `public.${wanted.table}`;
  const table = model.tables.get(key);
  const rule = role.tables.get(key)?.select;
  if (!table || !rule || rule.columns.length === 0) return undefined;
  if (!rule.variables.every((use) => isCarried(use, variables))) return undefined;
  const where = Object.entries(wanted.where ?? {});
  if (!where.every(([column]) => rule.columns.includes(column))) return undefined;
  const conditions = where.map(([column, value], index) =>
    condition(typeOf(table, column), column, value, index + 1),
  );
  if (conditions.includes(undefined)) return 'none';
  const most = Math.min(maxRows, rule.limit ?? maxRows, wanted.limit ?? maxRows);
  const order = (wanted.orderBy ?? []).filter((column) => rule.columns.includes(column));
  const cells = rule.columns.map((column) => cell(typeOf(table, column), column));
  const text = [
    `select coalesce(pg_catalog.json_agg(r.cells), '[]')::pg_catalog.text from (`,
    `select array[${cells.join(', ')}] as cells from ${nameOf(rowsView(role, table) ?? table)} t`,
    conditions.length > 0 ? `where ${conditions.join(' and ')}` : '',
    order.length > 0 ? `order by ${order.map(columnName).join(', ')}` : '',
    `limit ${most + 1}) r`,
  ].join(' ');
  const name = statementName(role.postgresName, text);
  const values = where.map(([, value]) => value);
  return { statement: { text, values, name }, columns: rule.columns, most };
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

/** As text, exact and in ISO 8601, whatever the settings of the connection. */
function cell({ schema, name }: TypeName, column: string): string {
  const isJson = schema === 'pg_catalog' && ['json', 'jsonb'].includes(name);
  // What is JSON already would lose the quotes of a string.
  if (isJson) return `${columnName(column)}::pg_catalog.text`;
  return `pg_catalog.to_json(${columnName(column)}) operator(pg_catalog.#>>) '{}'::pg_catalog.text[]`;
}

function columnName(column: string): string {
  return `t.${pg.escapeIdentifier(column)}`;
}

function nameOf({ schema, name }: Pick<TableModel, 'schema' | 'name'>): string {
  return `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;
}
