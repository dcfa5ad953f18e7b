import { callsOfTable } from '../../access/function-calls.ts';
import type { RoleAccess, TableAccess } from '../../access/table-access.ts';
import { namedFunctions } from '../../model/functions/named-functions.ts';
import { executeId, executeObject } from '../../objects/privileges/execute.ts';
import type { DesiredObject } from '../../objects/state/state-object.ts';
import { calledAs } from '../../text/object-names.ts';
import type { Model, RoleModel } from '../../types/model.ts';
import type { ComputedField } from '../../types/tables.ts';
import { functionTarget, wrapperGrant } from './wrappers.ts';

/**
 * Returns a role's EXECUTE privileges on the functions of its computed fields, and on the generated functions that its
 * rules call. Postgres checks these privileges inside policies and views, too, so without them a query would fail.
 */
export function callGrants(access: TableAccess): readonly DesiredObject[] {
  const { role } = access;
  return [
    ...calledFunctions(access).map((field) => functionGrant(field, role)),
    ...callsOfTable(access).flatMap((call) => wrapperGrant(call, role.postgresName)),
  ];
}

/**
 * Returns the computed fields whose functions a role must be able to execute, including those in its views, because
 * Postgres checks the privileges of a view's reader. Functions with the rights of their owner are excluded: a login
 * could call them directly with a made-up row and session. A generated function calls them instead.
 */
export function calledFunctions({ computed }: TableAccess): readonly ComputedField[] {
  const fields = [...computed.values()].map(({ field }) => field);
  const own = fields.filter(({ rights }) => rights === 'caller');
  // Fields with a single value come first, so that plans always list the privileges in the same order.
  return (['scalar', 'rows'] as const).flatMap((kind) =>
    own.filter(({ result }) => result.kind === kind),
  );
}

/**
 * Returns the ids of the EXECUTE privileges that apply must revoke from PUBLIC: those on functions of the metadata that
 * run with the rights of their owner. With the privilege, any login could call such a function with a made-up row and
 * session.
 */
export function callsOfAll(model: Pick<Model, 'functions' | 'tables'>): ReadonlySet<string> {
  const ids = namedFunctions(model).map(({ called }) => {
    const types = called.arguments.map(({ type }) => type);
    const { schema, name } = called.function;
    return executeId(schema, calledAs(name, types), 'public');
  });
  return new Set(ids);
}

/** Returns a role's EXECUTE privileges on functions that are root fields and run with the caller's rights. */
export function functionGrants({ role, functions }: RoleAccess): readonly DesiredObject[] {
  const own = functions.filter(({ call }) => call === undefined);
  return own.map(({ called }) => functionGrant(called, role));
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
