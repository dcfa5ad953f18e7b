import { anyOf, isSame } from '../../expressions/combine.ts';
import { variablesOf } from '../../expressions/reads.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { TablePermissions } from '../../types/model.ts';
import type { SelectRule } from '../../types/rules.ts';

/** The access of a role to the keys that relationships need. */
type Keys = Pick<TablePermissions, 'select' | 'hiddenKeys' | 'joinCells'>;

/**
 * Where a role reads the keys that only relationships need. By a rule of its own that is in every row that it sees; by
 * one that it inherits, where one of its parents (`sources`) reads them.
 */
export function inheritKeys(
  select: SelectRule | undefined,
  keys: readonly string[],
  sources: readonly TablePermissions[] | undefined,
): Keys {
  if (!select || !sources) return { select, hiddenKeys: keys, joinCells: new Map() };
  const cells = new Map(select.cells);
  const joinCells = new Map<string, BoolExp>();
  for (const key of keys) {
    const condition = keyCondition(key, sources) ?? anyOf([]);
    const shown = cells.get(key);
    if (shown && !isSame(condition, shown)) joinCells.set(key, condition);
    if (!select.columns.includes(key) && !isSame(condition, select.filter)) {
      cells.set(key, condition);
    }
  }
  const conditions = [select.filter, ...cells.values(), ...select.computedCells.values()];
  return {
    select: { ...select, cells, variables: variablesOf([...conditions, ...joinCells.values()]) },
    hiddenKeys: keys.filter((key) => !select.columns.includes(key)),
    joinCells,
  };
}

/** When some of these rules let a column be read in SQL; undefined where none ever does. */
export function keyCondition(
  column: string,
  sources: readonly TablePermissions[],
): BoolExp | undefined {
  const conditions = sources.flatMap(({ select, hiddenKeys, joinCells }) => {
    if (!select || !(select.columns.includes(column) || hiddenKeys.includes(column))) return [];
    return [joinCells.get(column) ?? select.cells.get(column) ?? select.filter];
  });
  return conditions.length > 0 ? anyOf(conditions) : undefined;
}
