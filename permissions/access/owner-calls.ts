import { apiSchema, type ObjectName, ownerCallName } from '../text/object-names.ts';
import type { FunctionModel } from '../types/functions.ts';
import type { Model, RoleModel } from '../types/model.ts';
import type { ComputedArgument, ComputedField, TableModel } from '../types/tables.ts';

/**
 * A generated function through which one role calls a user-defined function with the rights of an owner. The generated
 * function supplies the session variables, so the role cannot choose them. It returns only the rows and columns that
 * the role's select rule shows.
 */
export interface OwnerCall extends ObjectName {
  /** Names of the parameters that clients fill, in the order of the user-defined function. */
  readonly parameters: readonly string[];
}

/** The function of a root field, and the way in which a role calls the function. */
export interface FunctionAccess {
  readonly called: FunctionModel;
  /** The generated function for the call. Undefined: the role calls the user-defined function directly. */
  readonly call: OwnerCall | undefined;
}

type Tables = Model['tables'];

/** Decides how a role calls the function of a root field. */
export function functionAccess(
  role: RoleModel,
  called: FunctionModel,
  tables: Tables,
): FunctionAccess {
  const { key, rights, arguments: taken, result } = called;
  if (rights !== 'owner') return { called, call: undefined };
  const name = ownerCallName('function', JSON.stringify([role.postgresName, key]));
  const parameters = parametersOf(taken, tables.get(result.table));
  return { called, call: { schema: apiSchema, name, parameters } };
}

/**
 * Returns the generated function that computes a field of one row. The first parameters are the columns of the primary
 * key, by which the function finds the row.
 */
export function fieldCall(
  role: RoleModel,
  table: TableModel,
  { name, arguments: taken, result }: ComputedField,
  tables: Tables,
): OwnerCall {
  const facts = JSON.stringify([role.postgresName, table.key, name]);
  const shown = result.kind === 'rows' ? tables.get(result.table) : undefined;
  const parameters = parametersOf(taken, shown);
  return { schema: apiSchema, name: ownerCallName('field', facts), parameters };
}

/**
 * Returns a name for a parameter of a generated function that no returned column has. In the function's body, Postgres
 * could not tell a parameter from a returned column of the same name.
 */
export function parameterName(name: string, shown: TableModel | undefined): string {
  return shown?.columns.has(name) ? parameterName(`${name}~`, shown) : name;
}

function parametersOf(
  taken: readonly ComputedArgument[],
  shown: TableModel | undefined,
): readonly string[] {
  const clients = taken.filter(({ kind }) => kind === 'client');
  return clients.map((_, index) => parameterName(`given ${index + 1}`, shown));
}
