import type pg from 'pg';
import { type Diagnostic, Report } from '../../diagnostics.ts';
import { quote } from '../../text/characters.ts';
import { ident, literal, qualified, sql } from '../../text/sql-text.ts';
import type { TableKey } from '../../types/names.ts';
import type { TableModel } from '../../types/tables.ts';

/** One value of a GraphQL enum. */
export interface EnumValue {
  readonly name: string;
  readonly description: string | undefined;
}

/** The values of all GraphQL enums, read from the rows of enum tables. */
export interface EnumValues {
  /** The values by enum table, sorted by name. A table without rows is missing. */
  readonly values: ReadonlyMap<TableKey, readonly EnumValue[]>;
  /** Warnings about empty tables, and about values that GraphQL does not allow and that are therefore omitted. */
  readonly findings: readonly Diagnostic[];
}

/** Maximum number of values of an enum. Every schema and many messages repeat the whole enum. */
const maxValues = 1000;
/** Maximum number of reported values that GraphQL does not allow. */
const maxReported = 10;

/** Reads the rows of all enum tables among `tables`, as the login of the connection sees them. */
export async function readEnumValues(
  client: pg.ClientBase,
  tables: Iterable<TableModel>,
): Promise<EnumValues> {
  const report = new Report();
  const values = new Map<TableKey, readonly EnumValue[]>();
  for (const table of tables) {
    if (!table.enum) continue;
    const rows = await readRows(client, table);
    const fit = rows.filter(({ name }) => isEnumValue(name)).slice(0, maxValues);
    reportRows(table, rows, report);
    if (fit.length > 0) values.set(table.key, fit);
  }
  return { values, findings: report.diagnostics };
}

/**
 * Names that GraphQL allows as enum values. GraphQL reserves three words, and names that begin with two underscores.
 */
const namePattern = '^(?!__)[_A-Za-z][_0-9A-Za-z]*$';
const reservedWords = ['true', 'false', 'null'];

/** Returns whether an enum of GraphQL can have a value with this name. */
export function isEnumValue(name: string): boolean {
  return new RegExp(namePattern).test(name) && !reservedWords.includes(name);
}

/** Reads the rows of an enum table. Valid names come first, so that invalid rows cannot use up the limit. */
async function readRows(client: pg.ClientBase, table: TableModel): Promise<readonly EnumValue[]> {
  const { value = '', describedBy } = table.enum ?? {};
  const text = describedBy === undefined ? sql`null` : ident(describedBy);
  const name = sql`${ident(value)}::pg_catalog.text collate pg_catalog."C"`;
  const query = sql`select ${name} as name, ${text}::pg_catalog.text as description
from ${qualified(table)}
order by ${name} operator(pg_catalog.~) ${literal(namePattern)} desc, ${name} limit `;
  const { rows } = await client.query<{ name: string; description: string | null }>(
    `${query.text}${maxValues + reservedWords.length + maxReported + 1}`,
  );
  return rows.map(({ name, description }) => ({
    name,
    description: description || undefined,
  }));
}

/**
 * Reports problems with the rows as warnings only. Roles may write these rows, and must not be able to make a command
 * fail in this way.
 */
function reportRows(table: TableModel, rows: readonly EnumValue[], report: Report): void {
  const label = `${table.schema}.${table.name}`;
  const warn = (message: string, hint: string) =>
    report.warning('RG_ENUM', table.position, message, hint);
  const odd = rows.filter(({ name }) => !isEnumValue(name));
  const count = rows.length - odd.length;
  if (count === 0) {
    const what = rows.length === 0 ? 'is empty' : 'holds no value that GraphQL can have';
    const hint = 'insert its values, or leave is_enum out';
    warn(`the enum table ${label} ${what}, and its columns are text until it does`, hint);
  }
  if (count > maxValues) {
    const hint = 'omit is_enum, and let clients query the table';
    warn(`the enum table ${label} has more than ${maxValues} values; the rest is left out`, hint);
  }
  for (const { name } of odd.slice(0, maxReported)) {
    warn(
      `${label} holds ${quote(name)}, which cannot be a value of an enum in GraphQL and is left out`,
      'use letters, digits and underscores, no digit at the beginning, no two underscores there, and none of true, false and null',
    );
  }
}
