import { namedFunctions } from '../../model/functions/named-functions.ts';
import { executeId, executeObject } from '../../objects/execute.ts';
import type { DesiredObject } from '../../objects/state/state-object.ts';
import { calledAs } from '../../text/object-names.ts';
import type { Model, RoleModel, TablePermissions } from '../../types/model.ts';
import type { ComputedField, TableModel } from '../../types/tables.ts';
import { callsForRole } from '../views/computed-views.ts';
import { functionTarget, wrapperGrant } from './computed-calls.ts';

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
  const asked = [...fieldsOf(select?.computedFields), ...fieldsOf(computedRows)];
  return asked.filter(({ rights }) => rights === 'caller');
}

/**
 * Ids of the rights of PUBLIC to call functions that the metadata names. Of one that acts with the rights of its owner
 * it must not have any: who calls such a function by itself gives it a row and a session of their own making.
 */
export function callsOfAll(model: Pick<Model, 'functions' | 'tables'>): ReadonlySet<string> {
  const ids = namedFunctions(model).map(({ called }) => {
    const types = called.arguments.map(({ type }) => type);
    const { schema, name } = called.function;
    return executeId(schema, calledAs(name, types), 'public');
  });
  return new Set(ids);
}

/** The rights to call functions that are root fields and act as who asks. */
export function functionGrants(
  role: RoleModel,
  { functions }: Pick<Model, 'functions'>,
): readonly DesiredObject[] {
  const called = role.functions.flatMap((key) => functions.get(key) ?? []);
  const own = called.filter(({ rights }) => rights === 'caller');
  return own.map((one) => functionGrant(one, role));
}

function functionGrant(
  field: Pick<ComputedField, 'function' | 'arguments'>,
  role: Pick<RoleModel, 'postgresName'>,
): DesiredObject {
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
