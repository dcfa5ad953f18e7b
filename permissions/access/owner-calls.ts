import { apiSchema, type ObjectName, ownerCallName } from '../text/object-names.ts';
import type { FunctionModel } from '../types/functions.ts';
import type { Model, RoleModel } from '../types/model.ts';
import type { ComputedArgument, ComputedField, TableModel } from '../types/tables.ts';

/**
 * A function of ours by which one role calls a user-defined function with the rights of an owner. It supplies the
 * session itself, and returns only rows and columns that the role's select rule shows.
 */
export interface OwnerCall extends ObjectName {
  /** Names of the parameters for the arguments of clients, in the order of the function that is called. */
  readonly parameters: readonly string[];
}

/** A root field's function as a role calls it. */
export interface FunctionAccess {
  readonly called: FunctionModel;
  /** Undefined: the role calls the function itself. */
  readonly call: OwnerCall | undefined;
}

type Tables = Model['tables'];

/** How a role calls a function that is a root field. */
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

/** The function that computes a field of a row by its primary key, whose columns come first. */
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

/** A name for a parameter that no returned column has: Postgres takes both for variables. */
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
