import type { TableKey } from '../../types/names.ts';
import type { TableRules } from '../../types/rules.ts';
import type { TableModel } from '../../types/tables.ts';
import { accessPathOf, readsWholeRow } from '../computed-fields/computed-access.ts';
import { keyCondition } from './inherited-keys.ts';
import type { RelationshipFacts } from './usable-relationships.ts';

/**
 * Returns the columns of the primary key if the role needs them to read computed fields. When a role may not read the
 * whole row, a generated view or function finds the row by its key.
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
 * Returns the role's computed fields that return rows which it may select. The role either passes its row to the
 * function, or calls a generated function with the owner's rights, which finds the row by its key. In the second case
 * the role must be able to read the key in at least some rows.
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
