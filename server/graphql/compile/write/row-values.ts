import type { SQL } from 'postgraphile/pg-sql2';
import type { TableView } from '../../schema/view/table-view.ts';

/** Returns true if the insert rule presets the column. A value that the client gives is then ignored. */
export function isPreset({ insert }: TableView, name: string): boolean {
  return insert?.rule.presets.some(({ column }) => column === name) === true;
}

/** Values as SQL, by column name of the table. */
export type RowValues = ReadonlyMap<string, SQL>;
