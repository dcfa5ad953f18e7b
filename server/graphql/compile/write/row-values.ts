import type { SQL } from 'postgraphile/pg-sql2';
import type { TableView } from '../../schema/view/table-view.ts';

/** Whether a column gets the same value whatever is given. */
export function isPreset({ insert }: TableView, name: string): boolean {
  return insert?.rule.presets.some(({ column }) => column === name) === true;
}

/** Values by column of the table, as SQL. */
export type Cells = ReadonlyMap<string, SQL>;
