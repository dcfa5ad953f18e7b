import { computedInRules } from '../expressions/dependencies.ts';
import type { OwnCall } from '../expressions/print/print-call.ts';
import type { ComputedField } from '../types/tables.ts';
import type { ComputedAccess } from './computed-fields.ts';
import type { RoleAccess, TableAccess } from './table-access.ts';

/** Returns the calls of user-defined functions in a role's rules on a table and in its views of the table. */
export function callsOfTable({ rules, computed }: TableAccess): readonly OwnCall[] {
  return [
    ...computedInRules(rules).map((field) => ({ field, asOwner: true })),
    ...fieldsBy(computed, 'view', 'column').map(callInView),
  ];
}

/**
 * Returns the calls of user-defined functions with the rights of an owner that a role makes through generated
 * functions.
 */
export function callsOfOwner({ functions, tables }: RoleAccess): readonly OwnCall[] {
  const called = functions.flatMap((one) => (one.call ? [one.called] : []));
  const fields = [...tables.values()].flatMap(({ computed }) => fieldsBy(computed, 'by key'));
  return [...called, ...fields].map(wholeCall);
}

/** Returns the fields that a role gets in one of these ways. */
export function fieldsBy(
  computed: TableAccess['computed'],
  ...paths: readonly ComputedAccess['path'][]
): readonly ComputedField[] {
  return [...computed.values()].filter(({ path }) => paths.includes(path)).map((one) => one.field);
}

/**
 * Postgres requires that the reader of a view may execute the functions in it. When a function runs with the rights of
 * its owner, the view calls a generated function instead.
 */
export function callInView(field: ComputedField): OwnCall {
  return { field, asOwner: field.rights === 'owner' };
}

/** Returns a call that supplies every argument and runs with the rights of the applier. */
export function wholeCall(field: OwnCall['field']): OwnCall {
  return { field, asOwner: true, isWhole: true };
}
