import type { ComputedField, RoleModel, TableModel, TablePermissions } from '../model/types.ts';
import type { DesiredObject } from '../state/types.ts';
import { functionTarget, wrapperGrant } from './computed-calls.ts';
import { callsForRole } from './computed-views.ts';
import { executeObject } from './desired.ts';
import { calledAs } from './names.ts';

/**
 * The rights to call the functions of computed fields that a role may ask for, and those of ours that its rules call:
 * Postgres asks for them in policies and views, too.
 */
export function callGrants(
  role: RoleModel,
  table: TableModel,
  rules: TablePermissions,
): readonly DesiredObject[] {
  return [
    ...calledFunctions(table, rules).map((field) => functionGrant(field, role)),
    ...callsForRole(rules, table).flatMap((call) => wrapperGrant(call, role.postgresName)),
  ];
}

/**
 * The computed fields whose functions a role must be able to execute to ask for them. A view checks the rights of its
 * reader, so that this holds beneath a view too; but a value that a function computes with the rights of its owner comes
 * by a call of ours, and the function stays closed to rows and sessions of a login's own making.
 */
export function calledFunctions(
  { computedFields }: TableModel,
  { select, computedRows }: TablePermissions,
): readonly ComputedField[] {
  const fieldsOf = (names: readonly string[] = []) =>
    names.flatMap((name) => computedFields.get(name) ?? []);
  const values = fieldsOf(select?.computedFields).filter(({ definer }) => !definer);
  return [...values, ...fieldsOf(computedRows)];
}

function functionGrant(field: ComputedField, role: RoleModel): DesiredObject {
  const { schema, name } = field.function;
  const types = field.arguments.map(({ type }) => type);
  return executeObject(
    {
      schema,
      id: calledAs(name, types),
      label: `${name}(${types.map((type) => type.name).join(', ')})`,
      target: functionTarget(field),
    },
    role.postgresName,
  );
}
