import type { TablePermissions } from '../types/model.ts';

/**
 * The columns that a role reads of the table itself, hidden keys included: those that every row which it sees shows.
 * The others no grant can give; it reads them by the rows view.
 */
export function grantedColumns({
  select,
  hiddenKeys,
}: Pick<TablePermissions, 'select' | 'hiddenKeys'>): readonly string[] {
  if (!select) return hiddenKeys;
  return [...select.columns, ...hiddenKeys].filter((name) => !select.columnMasks.has(name));
}
