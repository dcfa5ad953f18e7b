import type { Entry, Operation } from '../api/answers.ts';

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
