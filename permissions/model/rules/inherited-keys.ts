import { anyOf, isSame } from '../../expressions/combine.ts';
import { variablesOf } from '../../expressions/dependencies.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { TablePermissions } from '../../types/model.ts';
import type { SelectRule } from '../../types/rules.ts';

/** A role's access to the columns that relationships join by. */
type Keys = Pick<TablePermissions, 'select' | 'hiddenKeys' | 'joinMasks'>;

/**
 * Determines in which rows a role can read the columns that only relationships join by. Under its own select rule, it
 * reads them in every visible row. Under an inherited rule, it reads them only in rows in which a parent (`sources`)
 * reads them.
 */
export function inheritKeys(
  select: SelectRule | undefined,
  keys: readonly string[],
  sources: readonly TablePermissions[] | undefined,
): Keys {
  if (!select || !sources) return { select, hiddenKeys: keys, joinMasks: new Map() };
  const columnMasks = new Map(select.columnMasks);
  const joinMasks = new Map<string, BoolExp>();
  for (const key of keys) {
    const condition = keyCondition(key, sources) ?? anyOf([]);
    const shown = columnMasks.get(key);
    if (shown && !isSame(condition, shown)) joinMasks.set(key, condition);
    if (!select.columns.includes(key) && !isSame(condition, select.filter)) {
      columnMasks.set(key, condition);
    }
  }
  const conditions = [select.filter, ...columnMasks.values(), ...select.fieldMasks.values()];
  return {
    select: {
      ...select,
      columnMasks,
      variables: variablesOf([...conditions, ...joinMasks.values()]),
    },
    hiddenKeys: keys.filter((key) => !select.columns.includes(key)),
    joinMasks,
  };
}

/**
 * Returns the condition under which at least one of the rules `sources` lets a role read a column in SQL. Undefined: no
 * rule does.
 */
export function keyCondition(
  column: string,
  sources: readonly TablePermissions[],
): BoolExp | undefined {
  const conditions = sources.flatMap(({ select, hiddenKeys, joinMasks }) => {
    if (!select || !(select.columns.includes(column) || hiddenKeys.includes(column))) return [];
    return [joinMasks.get(column) ?? select.columnMasks.get(column) ?? select.filter];
  });
  return conditions.length > 0 ? anyOf(conditions) : undefined;
}
