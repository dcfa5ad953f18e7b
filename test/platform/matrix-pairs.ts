import type { BoolExp } from '../../permissions/types/expressions.ts';
import type { Model, RoleModel, TablePermissions } from '../../permissions/types/model.ts';
import type { VariableName } from '../../permissions/types/names.ts';
import type { TableModel } from '../../permissions/types/tables.ts';

/** A role, and a table for which it has rules. */
export interface Pair {
  readonly role: RoleModel;
  readonly table: TableModel;
  readonly rules: TablePermissions;
  /** Names the role and the table, e.g. `accounting invoice`. */
  readonly label: string;
}

/** Returns every role except admin, with every table for which the role has rules. */
export function pairsOf(model: Model): readonly Pair[] {
  const { roles, tables } = model;
  return [...roles.values()].flatMap((role) =>
    [...role.tables].flatMap(([key, rules]) => {
      const table = tables.get(key);
      const known = table && role.name !== 'admin';
      return known ? [{ role, table, rules, label: `${role.name} ${table.name}` }] : [];
    }),
  );
}

/** Returns the labels of the pairs, e.g. `accounting invoice`, which a failed test shows. */
export function labels(found: readonly Pair[]): string[] {
  return found.map((pair) => pair.label);
}

/** Returns whether the role may insert, update or delete rows of the table. */
export function writes({ rules }: Pair): boolean {
  return [rules.insert, rules.update, rules.delete].some((rule) => rule !== undefined);
}

/** Returns whether every alternative of a condition compares with one of the variables. */
export function depends(condition: BoolExp, variables: readonly VariableName[]): boolean {
  const one = (item: BoolExp) => depends(item, variables);
  switch (condition.kind) {
    case 'and':
      return condition.items.some(one);
    case 'or':
      return condition.items.every(one);
    case 'related':
    case 'exists':
      return one(condition.item);
    case 'compare':
      return (
        condition.operand.kind === 'variable' &&
        variables.includes(condition.operand.name) &&
        (condition.operator.symbol === '=' || condition.quantifier === 'any')
      );
    default:
      return false;
  }
}
