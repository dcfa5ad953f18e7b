import type { TableKey } from '../../types/names.ts';
import type { TableRules } from '../../types/rules.ts';
import type { TableModel } from '../../types/tables.ts';
import { accessPathOf, readsWholeRow } from '../computed-fields/computed-access.ts';
import { keyCondition } from './inherited-keys.ts';
import type { Surroundings } from './usable-relationships.ts';

/** Fields of a row that a role does not read as a whole are found by its key. */
export function computedFieldKeys(
  { select }: TableRules,
  table: TableModel | undefined,
  rows: readonly string[],
): readonly string[] {
  const isByKey = select && table && !readsWholeRow(select, table);
  return isByKey && select.computedFields.length + rows.length > 0 ? table.primaryKey : [];
}

/**
 * Computed fields that give rows which the role may select by themselves: from rows that it may hand to a function, or
 * with the rights of an owner from rows that a function of ours finds by their key, where the role reads it in any.
 */
export function usableComputedRows(
  key: TableKey,
  { rules, tables, strictKeys, sources }: Surroundings,
): readonly string[] {
  const table = tables.get(key);
  const select = rules.get(key)?.select;
  if (!select || !table) return [];
  const above = sources.get(key);
  const readsKey = !above || table.primaryKey.every((name) => keyCondition(name, above));
  const open = [...table.computedFields.values()].filter((field) => {
    const { result } = field;
    if (result.kind !== 'rows' || !rules.get(result.table)?.select) return false;
    const path = accessPathOf(field, select, table, strictKeys);
    return typeof path === 'string' && (path !== 'by key' || readsKey);
  });
  return open.map(({ name }) => name);
}
