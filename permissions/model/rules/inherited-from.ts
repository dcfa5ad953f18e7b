import type { Position } from '../../diagnostics.ts';
import type { Model, RoleModel, TablePermissions } from '../../types/model.ts';
import type { TableKey } from '../../types/names.ts';
import type { Operation } from '../../types/rules.ts';

/** A role from which another role inherits, with its rules on one table. */
export interface ParentRules {
  readonly name: string;
  readonly rules: TablePermissions;
}

/**
 * Returns the parents from whose rules a role inherits its rule. Empty if the rule is the role's own, because an own rule
 * replaces the rules of the parents. An inherited rule has the position of a parent's rule.
 */
export function inheritedFrom(
  { inherits, tables }: RoleModel,
  key: TableKey,
  operation: Operation,
  { roles }: Pick<Model, 'roles'>,
): readonly ParentRules[] {
  const position = tables.get(key)?.[operation]?.position;
  const parents = inherits.flatMap((name) => {
    const rules = roles.get(name)?.tables.get(key);
    return rules?.[operation] ? [{ name, rules }] : [];
  });
  const isInherited = parents.some(({ rules }) => isSame(rules[operation]?.position, position));
  return isInherited ? parents : [];
}

function isSame(a: Position | undefined, b: Position | undefined): boolean {
  return a?.file === b?.file && a?.line === b?.line && a?.column === b?.column;
}
