import { type Matrix, type Operation, operations } from '../api/answers.ts';
import type { Values } from '../shell/place.ts';
import { type Difference, differences } from './compare.ts';
import type { CellRules } from './rules.ts';

export type Table = Matrix['tables'][number];

/** The settings of the matrix screen, which the address holds. */
export interface View {
  /** The operation of the cells; `all`: a mark for each operation. */
  readonly operation: Operation | 'all';
  readonly roles: readonly string[];
  readonly tables: readonly Table[];
  /** The two roles of a comparison. */
  readonly compared: readonly [string, string] | undefined;
}

/** Reads the view of the values. Unknown names of roles and operations have no effect. */
export function viewOf(
  values: Values,
  matrix: Matrix,
  rulesOf: (table: string, role: string) => CellRules,
): View {
  const operation = operations.find((one) => one === values.operation);
  const compared = comparedRoles(values, matrix);
  const roleText = (values.role ?? '').toLowerCase();
  const tableText = (values.table ?? '').toLowerCase();
  const tables = matrix.tables.filter(({ key }) => key.toLowerCase().includes(tableText));
  const names = matrix.roles.map(({ name }) => name);
  return {
    operation: operation ?? (values.operation === 'all' ? 'all' : 'select'),
    compared,
    roles: compared ?? names.filter((name) => name.toLowerCase().includes(roleText)),
    tables: compared
      ? tables.filter(({ key }) => differencesAt(key, compared, rulesOf).length > 0)
      : tables,
  };
}

/** Returns the differences between two roles on one table; none without a comparison. */
export function differencesAt(
  table: string,
  compared: View['compared'],
  rulesOf: (table: string, role: string) => CellRules,
): readonly Difference[] {
  if (!compared) return [];
  const [one, other] = compared;
  return differences([one, rulesOf(table, one)], [other, rulesOf(table, other)]);
}

function comparedRoles(values: Values, { roles }: Matrix): View['compared'] {
  const find = (text: string | undefined) => roles.find(({ name }) => name === text)?.name;
  const [one, other] = [find(values.compare), find(values.with)];
  return one === undefined || other === undefined || one === other ? undefined : [one, other];
}

/** Finds the column that a text names, as `table.column`, with or without the schema. */
export function findColumn(
  text: string,
  { tables }: Matrix,
): { readonly table: string; readonly column: string } | undefined {
  for (const { key, columns } of tables) {
    const bare = key.slice(key.indexOf('.') + 1);
    const column = columns.find((name) => text === `${key}.${name}` || text === `${bare}.${name}`);
    if (column !== undefined) return { table: key, column };
  }
  return undefined;
}

const maxSuggestions = 30;

/** Returns the columns whose names, with their tables, contain a text. */
export function suggestColumns(text: string, { tables }: Matrix): readonly string[] {
  const part = text.toLowerCase();
  const found: string[] = [];
  for (const { key, columns } of tables) {
    for (const column of columns) {
      const name = `${key}.${column}`;
      if (name.toLowerCase().includes(part)) found.push(name);
      if (found.length === maxSuggestions) return found;
    }
  }
  return found;
}
