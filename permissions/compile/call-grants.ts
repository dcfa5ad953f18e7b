import type { ComputedField, RoleModel, TableModel, TablePermissions } from '../model/types.ts';
import type { DesiredObject } from '../state/types.ts';
import { functionTarget, wrapperOf } from './computed-calls.ts';
import { calledForRole } from './computed-views.ts';
import { executeObject } from './desired.ts';
import { calledAs, policySchema } from './names.ts';

/**
 * The right to call the functions of computed fields that a role's rules on a table call or that it may ask for.
 * Postgres asks for it wherever one is called, in policies and their views too: a function acts for whoever asks.
 */
export function callGrants(
  role: RoleModel,
  table: TableModel,
  rules: TablePermissions,
): readonly DesiredObject[] {
  const inRules = calledForRole(rules, table);
  const wrappers = inRules.flatMap((field) => wrapperOf(field) ?? []);
  return [
    ...[...inRules, ...selectable(table, rules)].map((field) => grantOf(field, role)),
    ...wrappers.map(({ name, target }) =>
      executeObject(
        { schema: policySchema, id: name, label: `${name}(…)`, target },
        role.postgresName,
      ),
    ),
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

function grantOf(field: ComputedField, role: RoleModel): DesiredObject {
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
