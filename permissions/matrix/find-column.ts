import { CommandError } from '../errors.ts';
import { quote } from '../text/characters.ts';
import { nearest } from '../text/nearest.ts';
import type { TableKey } from '../types/names.ts';
import type { Matrix, MatrixColumn, MatrixEntry } from './build-matrix.ts';

/** A column of a table of the matrix. */
export interface ColumnPlace {
  readonly table: TableKey;
  readonly column: string;
}

/** One use of a column that a role has. */
export interface ColumnUse {
  readonly entry: MatrixEntry;
  readonly column: MatrixColumn;
}

/**
 * Finds the table with the given name, with or without its schema.
 * @throws CommandError RG_USAGE if there is none, or more than one
 */
export function findTable(name: string, keys: readonly TableKey[]): TableKey {
  if (keys.includes(name)) return name;
  const found = keys.filter((key) => key.endsWith(`.${name}`));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (found.length > 1)
    throw unknown(
      `${quote(name)} is the name of ${found.length} tables`,
      `write ${found.join(' or ')}`,
    );
  throw unknown(
    `the metadata has no table ${quote(name)}`,
    suggestion(name, [...keys, ...keys.map(bareName)]),
  );
}

/**
 * Finds a column by `table.column` or `schema.table.column`.
 * @throws CommandError RG_USAGE if there is none
 */
export function findColumn(text: string, { tables }: Matrix): ColumnPlace {
  const at = text.lastIndexOf('.');
  if (at <= 0) throw unknown(`${quote(text)} is not TABLE.COLUMN`, 'for example invoice.amount');
  const key = findTable(
    text.slice(0, at),
    tables.map((table) => table.key),
  );
  const column = text.slice(at + 1);
  const columns = tables.find((table) => table.key === key)?.columns ?? [];
  if (columns.includes(column)) return { table: key, column };
  throw unknown(`${key} has no column ${quote(column)}`, suggestion(column, columns));
}

/** Returns all uses of a column that roles have, in the order of the matrix. */
export function usesOfColumn({ entries }: Matrix, place: ColumnPlace): readonly ColumnUse[] {
  return entries.flatMap((entry) => {
    const column = entry.columns.find(({ name }) => name === place.column);
    return column && entry.table === place.table ? [{ entry, column }] : [];
  });
}

function bareName(key: TableKey): string {
  return key.slice(key.indexOf('.') + 1);
}

function suggestion(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === undefined ? 'rowgate matrix lists all tables' : `did you mean ${quote(near)}?`;
}

function unknown(message: string, hint: string): CommandError {
  return new CommandError('RG_USAGE', message, { exitCode: 2, hint });
}
