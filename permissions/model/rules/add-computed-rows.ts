import type { TableKey } from '../../types/names.ts';
import type { TableRules } from '../../types/rules.ts';
import type { TableModel } from '../../types/tables.ts';
import { accessPathOf, readsWholeRow } from '../computed-fields/computed-access.ts';
import { keyCondition } from './inherited-keys.ts';
import type { RelationshipFacts } from './usable-relationships.ts';

/**
 * Returns the primary key if the role needs it to read computed fields. Fields of rows that a role does not read as
 * a whole are looked up by the row's key.
 */
export function computedFieldKeys(
  { select }: TableRules,
  table: TableModel | undefined,
  rows: readonly string[],
): readonly string[] {
  const isByKey = select && table && !readsWholeRow(select, table);
  return isByKey && select.computedFields.length + rows.length > 0 ? table.primaryKey : [];
}

/**
 * Returns computed fields that return rows which the role may select. Either the role may pass its rows to the
 * function, or a function of Rowgate with the owner's rights looks the row up by its key. The role must then read
 * the key in at least some rows.
 */
export function usableComputedRows(
  key: TableKey,
  { rules, tables, strictKeys, sources }: RelationshipFacts,
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
