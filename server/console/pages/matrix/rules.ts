import type { Entry, Matrix, Operation } from '../api/answers.ts';

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
