import type { RoleModel } from '../../types/model.ts';
import type { RoleHead } from './resolve-roles.ts';

/** A role with its rules on tables. */
export type TableRole = Omit<RoleModel, 'functions'>;

/**
 * Builds the roles in the order of `heads`, except that every role comes after the roles that it inherits from, because
 * it needs their rules.
 */
export function buildRoles(
  heads: readonly RoleHead[],
  tablesOf: (head: RoleHead, parents: readonly TableRole[]) => TableRole['tables'],
): Map<string, TableRole> {
  const made = new Map<string, TableRole>();
  const make = (head: RoleHead): TableRole => {
    const known = made.get(head.name);
    if (known) return known;
    const parents = heads.filter(({ name }) => head.inherits.includes(name)).map(make);
    const { position: _, ...rest } = head;
    const role = { ...rest, tables: tablesOf(head, parents) };
    made.set(head.name, role);
    return role;
  };
  return new Map(heads.map((head) => [head.name, make(head)]));
}
