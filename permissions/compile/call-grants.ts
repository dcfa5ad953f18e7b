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
    ...selectable(table, rules).map((field) => functionGrant(field, role)),
    ...callsForRole(rules, table).flatMap((call) => wrapperGrant(call, role.postgresName)),
  ];
}

/** The computed fields that a role may ask for. */
export function selectable(
  { computedFields }: TableModel,
  { select, computedRows }: TablePermissions,
): readonly ComputedField[] {
  const names = [...(select?.computedFields ?? []), ...computedRows];
  return names.flatMap((name) => computedFields.get(name) ?? []);
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
