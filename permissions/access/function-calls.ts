import { computedInRules } from '../expressions/dependencies.ts';
import type { OwnCall } from '../expressions/print/print-call.ts';
import type { ComputedField } from '../types/tables.ts';
import type { ComputedAccess } from './computed-fields.ts';
import type { RoleAccess, TableAccess } from './table-access.ts';

/** The calls of user-defined functions that a role's rules on a table make, and its views of the table. */
export function callsOfTable({ rules, computed }: TableAccess): readonly OwnCall[] {
  return [
    ...computedInRules(rules).map((field) => ({ field, asOwner: true })),
    ...fieldsBy(computed, 'view', 'column').map(callInView),
  ];
}

/** The calls of user-defined functions with the rights of an owner that a role makes through functions of ours. */
export function callsOfOwner({ functions, tables }: RoleAccess): readonly OwnCall[] {
  const called = functions.flatMap((one) => (one.call ? [one.called] : []));
  const fields = [...tables.values()].flatMap(({ computed }) => fieldsBy(computed, 'by key'));
  return [...called, ...fields].map(wholeCall);
}

/** The fields that a role gets in one of these ways. */
export function fieldsBy(
  computed: TableAccess['computed'],
  ...paths: readonly ComputedAccess['path'][]
): readonly ComputedField[] {
  return [...computed.values()].filter(({ path }) => paths.includes(path)).map((one) => one.field);
}

/** The reader of a view must be able to execute what it calls: of a function with an owner's rights only ours. */
export function callInView(field: ComputedField): OwnCall {
  return { field, asOwner: field.rights === 'owner' };
}

/** A call with the rights of the applier that supplies every argument. */
export function wholeCall(field: OwnCall['field']): OwnCall {
  return { field, asOwner: true, isWhole: true };
}
