import type { OwnCall } from '../../expressions/print-call.ts';
import { hasField, reachOf } from '../../model/computed-fields/computed-reach.ts';
import { apiSchema, ownerCallName } from '../../text/object-names.ts';
import type { FunctionModel } from '../../types/functions.ts';
import type { Model, RoleModel } from '../../types/model.ts';
import type { ComputedArgument, ComputedField, TableModel } from '../../types/tables.ts';

/**
 * A function of ours by which one role calls one of people's own with the rights of an owner. It gives the session
 * itself, and shows of rows what the role's select rule shows.
 */
export interface OwnerCall {
  readonly schema: string;
  readonly name: string;
  /** Names of the parameters for what clients give, in the order of the function that is called. */
  readonly parameters: readonly string[];
}

/** How a role calls a root field's function; undefined where it calls the function itself, or may not. */
export function functionCall(
  role: RoleModel,
  { key, rights, arguments: taken, result }: FunctionModel,
  tables: Model['tables'],
): OwnerCall | undefined {
  if (rights !== 'owner' || !role.functions.includes(key)) return undefined;
  const name = ownerCallName('function', JSON.stringify([role.postgresName, key]));
  return { schema: apiSchema, name, parameters: parametersOf(taken, tables.get(result.table)) };
}

/** How a role computes a field of a row by its primary key, whose columns come first; likewise. */
export function fieldCall(
  role: RoleModel,
  table: TableModel,
  field: ComputedField,
  tables: Model['tables'],
): OwnerCall | undefined {
  const rules = role.tables.get(table.key);
  const { name, arguments: taken, result } = field;
  if (!rules?.select || !hasField(rules, field)) return undefined;
  if (reachOf(field, rules.select, table) !== 'by key') return undefined;
  const facts = JSON.stringify([role.postgresName, table.key, name]);
  const shown = result.kind === 'rows' ? tables.get(result.table) : undefined;
  const parameters = parametersOf(taken, shown);
  return { schema: apiSchema, name: ownerCallName('field', facts), parameters };
}

/** The functions that are root fields and that a role calls so. */
export function ownedFunctions(
  role: RoleModel,
  { functions }: Pick<Model, 'functions'>,
): readonly FunctionModel[] {
  const called = role.functions.flatMap((key) => functions.get(key) ?? []);
  return called.filter(({ rights }) => rights === 'owner');
}

/** The computed fields that a role has so, with their tables. */
export function ownedFields(
  role: RoleModel,
  { tables }: Pick<Model, 'tables'>,
): readonly { readonly table: TableModel; readonly field: ComputedField }[] {
  return [...tables.values()].flatMap((table) =>
    [...table.computedFields.values()]
      .filter((field) => fieldCall(role, table, field, tables))
      .map((field) => ({ table, field })),
  );
}

/** The calls of functions of people's own that these make. */
export function callsOfOwner(
  role: RoleModel,
  model: Pick<Model, 'functions' | 'tables'>,
): readonly OwnCall[] {
  const fields = ownedFields(role, model).map(({ field }) => field);
  return [...ownedFunctions(role, model), ...fields].map(wholeCall);
}

/** A call with the rights of whoever applies that gives every argument. */
export function wholeCall(field: OwnCall['field']): OwnCall {
  return { field, asOwner: true, isWhole: true };
}

/** A name for a parameter that no column of the rows that are returned has: Postgres takes both for variables. */
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
