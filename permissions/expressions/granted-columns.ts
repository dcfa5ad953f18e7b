import type { TablePermissions } from '../types/model.ts';

/**
 * Returns the columns that a role may select from the table itself, hidden keys included: columns that every visible
 * row shows. No grant can give columns that only some rows show. The role reads them through the rows view.
 */
export function grantedColumns({
  select,
  hiddenKeys,
}: Pick<TablePermissions, 'select' | 'hiddenKeys'>): readonly string[] {
  if (!select) return hiddenKeys;
  return [...select.columns, ...hiddenKeys].filter((name) => !select.columnMasks.has(name));
}
