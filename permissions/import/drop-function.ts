import type { Diagnostic } from '../diagnostics.ts';
import type { ImportReport } from './hasura/import-report.ts';
import type { Imported, ImportedFunction } from './hasura/imported.ts';
import { lostFunction } from './hasura/translate-functions.ts';

/** Returns the import without a function that Rowgate refuses, and reports it. */
export function dropFunction(
  imported: Imported,
  called: ImportedFunction,
  { message, hint }: Diagnostic,
  report: ImportReport,
): Imported {
  const loss = called.roles.length > 0 ? 'permission' : 'feature';
  report.add(loss, called.from, `${lostFunction(called)}: ${message}`, hint);
  const isOther = (one: ImportedFunction) =>
    one.schema !== called.schema || one.name !== called.name;
  return { ...imported, functions: imported.functions.filter(isOther) };
}

/** Returns the function without the right of one role to call it, because that role is not imported. */
export function uncallableBy(called: ImportedFunction, role: string): ImportedFunction {
  const roles = called.roles.filter((one) => one !== role);
  if (roles.length === called.roles.length) return called;
  const body = new Map(called.body);
  if (roles.length > 0) body.set('permissions', roles.toSorted());
  else body.delete('permissions');
  return { ...called, roles, body };
}
