import type { Entry, Matrix, Operation } from '../server/answers.ts';

/** The rules of one role on one table, by operation. */
export type CellRules = ReadonlyMap<Operation, Entry>;

const none: CellRules = new Map();

/** Returns a function that finds the rules of a table and a role. */
export function indexRules({ entries }: Matrix): (table: string, role: string) => CellRules {
  const byTable = new Map<string, Map<string, Map<Operation, Entry>>>();
  for (const entry of entries) {
    const ofTable = byTable.get(entry.table) ?? new Map<string, Map<Operation, Entry>>();
    const ofRole = ofTable.get(entry.role) ?? new Map<Operation, Entry>();
    byTable.set(entry.table, ofTable.set(entry.role, ofRole.set(entry.operation, entry)));
  }
  return (table, role) => byTable.get(table)?.get(role) ?? none;
}

/** Returns the columns of a rule and of its table, such as `3 of 10 columns`. A delete concerns whole rows. */
export function columnCount({ operation, columns }: Entry, ofTable: number): string {
  if (operation === 'delete') return 'whole rows';
  return `${columns.length} of ${ofTable} columns`;
}

/** Returns what a rule allows or sets beside rows and columns, in words. */
export function extrasOf({ check, aggregations, limit, presets, backendOnly }: Entry) {
  return [
    ...(check === undefined ? [] : [`afterwards ${check}`]),
    ...(aggregations ? ['with aggregations'] : []),
    ...(limit === undefined ? [] : [`at most ${limit} rows`]),
    ...presets.map((preset) => `sets ${preset}`),
    ...(backendOnly ? ['backend only'] : []),
  ];
}

/** Returns the roles from which a rule is inherited, in words; empty if it is the role's own. */
export function originOf(from: readonly string[]): string {
  return from.length === 0 ? '' : `from ${from.join(', ')}`;
}

export const verbs: Readonly<Record<Operation, string>> = {
  select: 'read',
  insert: 'insert',
  update: 'update',
  delete: 'delete',
};
