import { computedInRules } from '../expressions/dependencies.ts';
import type { OwnCall } from '../expressions/print/print-call.ts';
import type { ComputedField } from '../types/tables.ts';
import type { ComputedAccess } from './computed-fields.ts';
import type { RoleAccess, TableAccess } from './table-access.ts';

/**
 * Returns the calls of user-defined functions in a role's rules on a table and in the generated views through which the
 * role reads computed fields.
 */
export function callsOfTable({ rules, computed }: TableAccess): readonly OwnCall[] {
  return [
    ...computedInRules(rules).map((field) => ({ field, asOwner: true })),
    ...fieldsBy(computed, 'view', 'column').map(callInView),
  ];
}

/**
 * Returns the calls of user-defined functions that a role may make only through generated functions, because the
 * user-defined function runs with the rights of an owner.
 */
export function callsOfOwner({ functions, tables }: RoleAccess): readonly OwnCall[] {
  const called = functions.flatMap((one) => (one.call ? [one.called] : []));
  const fields = [...tables.values()].flatMap(({ computed }) => fieldsBy(computed, 'by key'));
  return [...called, ...fields].map(wholeCall);
}

/** Returns the computed fields that a role reads by one of the given access paths. */
export function fieldsBy(
  computed: TableAccess['computed'],
  ...paths: readonly ComputedAccess['path'][]
): readonly ComputedField[] {
  return [...computed.values()].filter(({ path }) => paths.includes(path)).map((one) => one.field);
}

/**
 * Returns how a generated view calls the function of a computed field. Postgres requires that the reader of a view may
 * execute the functions in the view. A role must not get that right on a function that runs with its owner's rights. So
 * the view calls a generated function, which calls the user's function.
 */
export function callInView(field: ComputedField): OwnCall {
  return { field, asOwner: field.rights === 'owner' };
}

/**
 * Returns a call that passes every argument, including those of the client, and runs with the rights of the applier.
 */
export function wholeCall(field: OwnCall['field']): OwnCall {
  return { field, asOwner: true, isWhole: true };
}
