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
 * The rights to call the functions of computed fields that a role may ask for, and the functions of ours that its rules
 * call: Postgres checks these rights in policies and views, too.
 */
export function callGrants(access: TableAccess): readonly DesiredObject[] {
  const { role } = access;
  return [
    ...calledFunctions(access).map((field) => functionGrant(field, role)),
    ...callsOfTable(access).flatMap((call) => wrapperGrant(call, role.postgresName)),
  ];
}

/**
 * The computed fields whose functions a role must be able to execute. A view checks the rights of its reader, so this
 * includes fields of views. A function with the rights of its owner is called by a function of ours instead: a login
 * could call it with rows and sessions of its own making.
 */
export function calledFunctions({ computed }: TableAccess): readonly ComputedField[] {
  const fields = [...computed.values()].map(({ field }) => field);
  const own = fields.filter(({ rights }) => rights === 'caller');
  // Plans list fields with one value first.
  return (['scalar', 'rows'] as const).flatMap((kind) =>
    own.filter(({ result }) => result.kind === kind),
  );
}

/**
 * Ids of the rights of PUBLIC to call functions that the metadata names. PUBLIC must not call a function that acts with
 * the rights of its owner: it would pass a row and a session of its own making.
 */
export function callsOfAll(model: Pick<Model, 'functions' | 'tables'>): ReadonlySet<string> {
  const ids = namedFunctions(model).map(({ called }) => {
    const types = called.arguments.map(({ type }) => type);
    const { schema, name } = called.function;
    return executeId(schema, calledAs(name, types), 'public');
  });
  return new Set(ids);
}

/** The rights to call functions that are root fields and act with the rights of their caller. */
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
