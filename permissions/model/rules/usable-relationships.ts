import { isSame, passesEveryRow } from '../../expressions/combine.ts';
import type { TablePermissions } from '../../types/model.ts';
import type { TableKey } from '../../types/names.ts';
import type { SelectRule, TableRules } from '../../types/rules.ts';
import type { Relationship, TableModel } from '../../types/tables.ts';
import { keyCondition } from './inherited-keys.ts';

/** The rules that select rules were inherited from. */
export type Sources = ReadonlyMap<TableKey, readonly TablePermissions[]>;

/** The facts that decide which relationships the rules of a role open together. */
export interface Surroundings {
  readonly rules: ReadonlyMap<TableKey, TableRules>;
  readonly tables: ReadonlyMap<TableKey, TableModel>;
  readonly strictKeys: boolean;
  readonly sources: Sources;
}

/** The relationships of a table whose both ends a role may select, and whose keys it reads in some row. */
export function usableRelationships(
  key: TableKey,
  surroundings: Surroundings,
): readonly Relationship[] {
  const { rules, tables } = surroundings;
  const local = rules.get(key)?.select;
  if (!local) return [];
  return [...(tables.get(key)?.relationships.values() ?? [])].flatMap((relationship) => {
    const remote = rules.get(relationship.table)?.select;
    if (!remote) return [];
    const ends = relationship.columns.flatMap((pair) => [
      whenRead(local, pair.local, key, surroundings),
      whenRead(remote, pair.remote, relationship.table, surroundings),
    ]);
    if (ends.includes('never')) return [];
    const isCertain =
      relationship.isCertain && passesEveryRow(remote.filter) && !ends.includes('sometimes');
    return [{ ...relationship, isCertain }];
  });
}

/** The share of the visible rows in which a relationship can be followed from or to a column. */
function whenRead(
  select: SelectRule,
  column: string,
  key: TableKey,
  { strictKeys, sources }: Surroundings,
): 'always' | 'sometimes' | 'never' {
  if (strictKeys) {
    if (!select.columns.includes(column)) return 'never';
    return select.columnMasks.has(column) ? 'sometimes' : 'always';
  }
  const above = sources.get(key);
  if (!above) return 'always';
  const condition = keyCondition(column, above);
  if (!condition) return 'never';
  return isSame(condition, select.filter) ? 'always' : 'sometimes';
}
