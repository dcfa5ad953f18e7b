import { isSame, passesEveryRow } from '../../expressions/combine.ts';
import type { TablePermissions } from '../../types/model.ts';
import type { TableKey } from '../../types/names.ts';
import type { SelectRule, TableRules } from '../../types/rules.ts';
import type { Relationship, TableModel } from '../../types/tables.ts';
import { keyCondition } from './inherited-keys.ts';

/** The parents' rules from which a role inherited its select rule, by table. */
export type Sources = ReadonlyMap<TableKey, readonly TablePermissions[]>;

/** The facts about a role that decide which relationships it can use. */
export interface RelationshipFacts {
  readonly rules: ReadonlyMap<TableKey, TableRules>;
  readonly tables: ReadonlyMap<TableKey, TableModel>;
  readonly strictKeys: boolean;
  readonly sources: Sources;
}

/**
 * Returns the relationships of a table that a role can use: the role may select from both tables, and reads the join
 * columns in at least some rows.
 */
export function usableRelationships(
  key: TableKey,
  facts: RelationshipFacts,
): readonly Relationship[] {
  const { rules, tables } = facts;
  const local = rules.get(key)?.select;
  if (!local) return [];
  return [...(tables.get(key)?.relationships.values() ?? [])].flatMap((relationship) => {
    const remote = rules.get(relationship.table)?.select;
    if (!remote) return [];
    const ends = relationship.columns.flatMap((pair) => [
      whenRead(local, pair.local, key, facts),
      whenRead(remote, pair.remote, relationship.table, facts),
    ]);
    if (ends.includes('never')) return [];
    const isCertain =
      relationship.isCertain && passesEveryRow(remote.filter) && !ends.includes('sometimes');
    return [{ ...relationship, isCertain }];
  });
}

/** Returns in which visible rows a role may follow a relationship that joins by a column. */
function whenRead(
  select: SelectRule,
  column: string,
  key: TableKey,
  { strictKeys, sources }: RelationshipFacts,
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
