import type { Diagnostic } from '../diagnostics.ts';
import { withPermissions } from './hasura/count.ts';
import type { ImportReport } from './hasura/import-report.ts';
import type { Imported, ImportedCustomType, Plain } from './hasura/imported.ts';
import type { Subject } from './subject.ts';

const kinds = ['action', 'custom type', 'type relationship'] as const;

/** A unit of actions.yaml that the import can omit separately. */
export type OfActions = Extract<Subject, { kind: (typeof kinds)[number] }>;

export function isOfActions(subject: Subject): subject is OfActions {
  return kinds.some((kind) => kind === subject.kind);
}

/** Returns the import without an action or action type that Rowgate refuses, and reports it. */
export function dropOfActions(
  imported: Imported,
  subject: OfActions,
  mistake: Diagnostic,
  report: ImportReport,
): Imported {
  if (subject.kind === 'action') return dropAction(imported, subject.name, mistake, report);
  const { message, hint } = mistake;
  const name = subject.kind === 'custom type' ? subject.name : subject.type;
  const what =
    subject.kind === 'custom type'
      ? `the type "${name}" is left out`
      : `the type "${name}": the relationship "${subject.name}" is left out`;
  const isIt = (one: ImportedCustomType) => one.name === name;
  for (const { from } of imported.customTypes.filter(isIt)) {
    report.add('feature', from, `${what}: ${message}`, hint);
  }
  const customTypes = imported.customTypes.flatMap((one) => {
    if (!isIt(one)) return [one];
    return subject.kind === 'custom type' ? [] : [withoutRelationship(one, subject.name)];
  });
  return { ...imported, customTypes };
}

function dropAction(
  imported: Imported,
  name: string,
  { message, hint }: Diagnostic,
  report: ImportReport,
): Imported {
  for (const { from, roles } of imported.actions.filter((one) => one.name === name)) {
    const loss = roles.length > 0 ? 'permission' : 'feature';
    const what = `the action "${name}" is left out${withPermissions(roles.length)}`;
    report.add(loss, from, `${what}: ${message}`, hint);
  }
  return { ...imported, actions: imported.actions.filter((one) => one.name !== name) };
}

function withoutRelationship(type: ImportedCustomType, name: string): ImportedCustomType {
  const relationships = type.body.get('relationships');
  if (!(relationships instanceof Map)) return type;
  const remaining = new Map<string, Plain>(relationships);
  remaining.delete(name);
  const body = new Map<string, Plain>(type.body);
  if (remaining.size > 0) body.set('relationships', remaining);
  else body.delete('relationships');
  return { ...type, body };
}
