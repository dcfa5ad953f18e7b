import type { TablePermissions } from '../types/model.ts';

/**
 * Returns the columns on which a role gets the SELECT privilege: the columns that every visible row shows, including
 * hidden keys, which only relationships use. A grant cannot express columns that only some rows show. The role reads
 * these columns through its rows view.
 */
export function grantedColumns({
  select,
  hiddenKeys,
}: Pick<TablePermissions, 'select' | 'hiddenKeys'>): readonly string[] {
  if (!select) return hiddenKeys;
  return [...select.columns, ...hiddenKeys].filter((name) => !select.columnMasks.has(name));
}
