import type pg from 'pg';
import { type Diagnostic, Report } from '../diagnostics.ts';
import { quote } from '../load/names.ts';
import type { TableKey, TableModel } from '../model/types.ts';
import { ident, qualified, sql } from '../sql/sql-text.ts';

/** One value of an enum, as GraphQL writes it. */
export interface EnumValue {
  readonly name: string;
  readonly description: string | undefined;
}

/** The rows of enum tables. */
export interface EnumValues {
  /** Of tables that hold any, in order of names. */
  readonly values: ReadonlyMap<TableKey, readonly EnumValue[]>;
  /** Values that GraphQL cannot have, which are left out, and tables without any. */
  readonly findings: readonly Diagnostic[];
}

/** An enum is written out in every schema that uses it, and in messages. */
const mostValues = 1000;

/** Reads the rows of all enum tables among these, as whoever asks sees them. */
export async function readEnumValues(
  client: pg.ClientBase,
  tables: Iterable<TableModel>,
): Promise<EnumValues> {
  const report = new Report();
  const values = new Map<TableKey, readonly EnumValue[]>();
  for (const table of tables) {
    if (!table.enum) continue;
    const rows = await readRows(client, table);
    const fit = rows.slice(0, mostValues).filter(({ name }) => isValue(name));
    reportRows(table, rows, report);
    if (fit.length > 0) values.set(table.key, fit);
  }
  return { values, findings: report.diagnostics };
}

async function readRows(client: pg.ClientBase, table: TableModel): Promise<readonly EnumValue[]> {
  const { value = '', describedBy } = table.enum ?? {};
  const text = describedBy === undefined ? sql`null` : ident(describedBy);
  const query = sql`select ${ident(value)}::pg_catalog.text as name, ${text}::pg_catalog.text as description
from ${qualified(table)} order by ${ident(value)}::pg_catalog.text collate pg_catalog."C" limit `;
  const { rows } = await client.query<{ name: string; description: string | null }>(
    `${query.text}${mostValues + 1}`,
  );
  return rows.map(({ name, description: said }) => ({ name, description: said || undefined }));
}

/** GraphQL keeps three words from enums, and names that begin with two underscores to itself. */
function isValue(name: string): boolean {
  return /^(?!__)[_A-Za-z][_0-9A-Za-z]*$/.test(name) && !['true', 'false', 'null'].includes(name);
}

function reportRows(table: TableModel, rows: readonly EnumValue[], report: Report): void {
  const label = `${table.schema}.${table.name}`;
  const tell = (message: string, hint: string) =>
    report.error('RG_ENUM', table.position, message, hint);
  if (rows.length === 0) {
    tell(`the enum table ${label} is empty`, 'insert its values, or leave is_enum out');
  }
  if (rows.length > mostValues) {
    const hint = 'leave is_enum out, and let clients ask the table';
    tell(`the enum table ${label} has more than ${mostValues} values`, hint);
  }
  for (const { name } of rows.filter((row) => !isValue(row.name)).slice(0, 10)) {
    tell(
      `${label} holds ${quote(name)}, which cannot be a value of an enum in GraphQL`,
      'use letters, digits and underscores, no digit at the beginning, no two underscores there, and none of true, false and null',
    );
  }
}
