import pg from 'pg';
import { relationOf, tableAccess } from '../../access/table-access.ts';
import { CommandError, isInterruption } from '../../errors.ts';
import { readOnly } from '../../rights/savepoints.ts';
import { ident, integer, join, qualified, type SqlText, sql } from '../../text/sql-text.ts';
import type { Model } from '../../types/model.ts';
import type { TableModel } from '../../types/tables.ts';
import { asPrincipalNaming, type Principal } from '../access/principal.ts';
import { valueSql } from '../access/question.ts';

/** The rows that a principal is shown: those of a table that have some values. */
export interface RowsSubject {
  readonly principal: Principal;
  readonly table: TableModel;
  /** Values that the rows have, as texts by column. */
  readonly match: ReadonlyMap<string, string>;
}

/** A row as a principal sees it, beside the values that it does not see. */
export interface SeenRow {
  /** The primary key as texts by column; empty if the table has none. */
  readonly key: Readonly<Record<string, string>>;
  readonly isSeen: boolean;
  /** The beginnings of the values as texts, in the order of the table's columns. */
  readonly values: readonly (string | null)[];
  /** Positions of the columns that the principal does not get. Their values are those that the login reads. */
  readonly hidden: readonly number[];
}

/** Maximum number of characters of a value. */
const maxValueLength = 500;

export const row = ident('explained row');

/** A primary key, as texts in the order of its columns. */
export type Key = readonly string[];

/** Reads rows by their keys, as the principal and as the login. Both roles and settings must be set already. */
export async function readRows(
  client: pg.ClientBase,
  question: RowsSubject,
  keys: readonly Key[],
  model: Model,
): Promise<readonly SeenRow[]> {
  const { table } = question;
  if (keys.length === 0) return [];
  const all = [...table.columns.keys()];
  const { relation, columns } = sourceOf(question, model);
  const among = keyAmong(keys, table);
  const read = (from: SqlText, names: readonly string[]) =>
    valuesByKey(client, names, table, sql`${from} as ${row} where ${among}`);
  const seen = question.principal.role.tables.get(table.key)?.select
    ? await asReader(client, question, () => read(relation, columns))
    : new Map<string, Values>();
  const known = await readOnly(client, () => read(qualified(table), all));
  return keys.flatMap((key) => {
    const text = JSON.stringify(key);
    const values = known.get(text);
    // Another session may have deleted the row between the statements.
    return values ? [merged(key, values, seen.get(text), { table, columns })] : [];
  });
}

/** Values as texts, in the order of the columns that are read. */
export type Values = readonly (string | null)[];

/** Puts the values that the principal got beside those that the login reads. */
export function merged(
  key: Key,
  known: Values,
  seen: Values | undefined,
  { table, columns }: { readonly table: TableModel; readonly columns: readonly string[] },
): SeenRow {
  const given = new Map(columns.map((name, index) => [name, seen?.[index] ?? null]));
  const values = [...table.columns.keys()].map((name, index) => {
    const value = known[index] ?? null;
    const got = seen && given.get(name);
    const isHidden = got === undefined || (got === null && value !== null);
    return { value: isHidden ? value : got, isHidden };
  });
  return {
    key: Object.fromEntries(table.primaryKey.map((name, index) => [name, key[index] ?? ''])),
    isSeen: seen !== undefined,
    values: values.map(({ value }) => value),
    hidden: values.flatMap(({ isHidden }, index) => (isHidden ? [index] : [])),
  };
}

/**
 * Returns the relation from which the principal reads values of rows that are found by key, and the columns that it
 * reads there. A view that masks columns cannot find a row where the key itself is masked or left out; the table then
 * gives all columns without a mask.
 */
export function sourceOf(
  { principal: { role }, table }: Pick<RowsSubject, 'principal' | 'table'>,
  model: Model,
) {
  const rules = role.tables.get(table.key);
  if (!rules?.select) return { relation: qualified(table), columns: [] };
  const { columns, columnMasks } = rules.select;
  const access = tableAccess(role, table, rules, model.tables);
  const isFound = table.primaryKey.every(
    (name) => columns.includes(name) && !columnMasks.has(name),
  );
  return access.rows && !isFound
    ? { relation: qualified(table), columns: columns.filter((name) => !columnMasks.has(name)) }
    : { relation: relationOf(access, table, 'select'), columns };
}

async function valuesByKey(
  client: pg.ClientBase,
  columns: readonly string[],
  table: TableModel,
  from: SqlText,
): Promise<ReadonlyMap<string, Values>> {
  const { rows } = await client.query<{ readonly key: Key; readonly values: Values }>(
    sql`select ${keyTexts(table)} as key, ${valueList(columns)} as values from ${from}`.text,
  );
  return new Map(rows.map(({ key, values }) => [JSON.stringify(key), values]));
}

/** Runs a statement as the principal, which cannot write. @throws CommandError RG_USAGE if Postgres refuses it */
export async function asReader<T>(
  client: pg.ClientBase,
  { principal, table, match }: RowsSubject,
  statement: () => Promise<T>,
): Promise<T> {
  const columns = [...new Set([...table.primaryKey, ...match.keys()])];
  try {
    return await asPrincipalNaming(client, principal, { table, columns }, () =>
      readOnly(client, statement),
    );
  } catch (cause) {
    if (!(cause instanceof pg.DatabaseError) || isInterruption(cause)) throw cause;
    const message = `Postgres refuses to show the rows to role ${principal.role.name}: ${cause.message}`;
    throw new CommandError('RG_USAGE', message, { exitCode: 2, cause });
  }
}

export function keyColumns({ primaryKey }: TableModel): readonly SqlText[] {
  return primaryKey.map((name) => sql`${row}.${ident(name)}`);
}

export function keyTexts(table: TableModel): SqlText {
  const texts = keyColumns(table).map((key) => sql`(${key})::pg_catalog.text`);
  return sql`array[${join(texts, ', ')}]::pg_catalog.text[]`;
}

function keyAmong(keys: readonly Key[], table: TableModel): SqlText {
  const tuples = keys.map((key) => {
    const values = table.primaryKey.map((name, index) => valueSql(table, name, key[index] ?? ''));
    return sql`(${join(values, ', ')})`;
  });
  return sql`(${join(keyColumns(table), ', ')}) in (${join(tuples, ', ')})`;
}

export function valueList(columns: readonly string[]): SqlText {
  const length = integer(maxValueLength);
  const texts = columns.map(
    (name) => sql`pg_catalog.left((${row}.${ident(name)})::pg_catalog.text, ${length})`,
  );
  return sql`array[${join(texts, ', ')}]::pg_catalog.text[]`;
}
