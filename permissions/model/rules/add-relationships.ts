import type { TablePermissions } from '../../types/model.ts';
import type { TableKey } from '../../types/names.ts';
import type { TableRules } from '../../types/rules.ts';
import type { Relationship, TableModel } from '../../types/tables.ts';
import { computedFieldKeys, usableComputedRows } from './add-computed-rows.ts';
import { inheritKeys } from './inherited-keys.ts';
import { type Sources, usableRelationships } from './usable-relationships.ts';

/**
 * Adds the relationships whose two tables the role may read, and the hidden keys: columns by which these relationships
 * join although no rule lists them. `sources` are the parents' rules from which select rules were inherited.
 */
export function addRelationships(
  rules: ReadonlyMap<TableKey, TableRules>,
  tables: ReadonlyMap<TableKey, TableModel>,
  strictKeys: boolean,
  sources: Sources = new Map(),
): ReadonlyMap<TableKey, TablePermissions> {
  const facts = { rules, tables, strictKeys, sources };
  const hidden = new Map<TableKey, Set<string>>();
  const hide = (key: TableKey, column: string): void => {
    const select = rules.get(key)?.select;
    const isMasked = select?.columnMasks.has(column) === true && !strictKeys;
    if (select?.columns.includes(column) && !isMasked) return;
    hidden.set(key, (hidden.get(key) ?? new Set()).add(column));
  };
  const open = new Map<TableKey, ReadonlyMap<string, Relationship>>();
  const openByKey = new Map<TableKey, readonly string[]>();
  for (const key of rules.keys()) {
    const found = usableRelationships(key, facts);
    open.set(key, new Map(found.map((one) => [one.name, one])));
    for (const relationship of found) {
      for (const { local, remote } of relationship.columns) {
        hide(key, local);
        hide(relationship.table, remote);
      }
    }
  }
  for (const [key, rule] of rules) {
    if (rule.select?.columns.length === 0) hide(key, countable(tables.get(key)));
    const rows = usableComputedRows(key, facts);
    openByKey.set(key, rows);
    for (const column of computedFieldKeys(rule, tables.get(key), rows)) hide(key, column);
  }
  return new Map(
    [...rules].map(([key, rule]) => [
      key,
      {
        ...rule,
        ...inheritKeys(rule.select, [...(hidden.get(key) ?? [])].sort(), sources.get(key)),
        relationships: open.get(key) ?? new Map(),
        computedRows: openByKey.get(key) ?? [],
      },
    ]),
  );
}

/**
 * Returns a column that a role must be able to read so that it can count rows of a table: Postgres refuses even a count
 * to a role that may read no column.
 */
function countable(table: TableModel | undefined): string {
  return table?.primaryKey[0] ?? table?.columns.keys().next().value ?? '';
}
