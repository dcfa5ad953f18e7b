import type { Diagnostic } from '../diagnostics.ts';
import { withPermissions } from './hasura/count.ts';
import type { ImportReport } from './hasura/import-report.ts';
import type { Imported, ImportedTable, Plain, PlainMap } from './hasura/imported.ts';
import { tableKey, tableLabel } from './hasura/table-name.ts';
import type { Subject } from './locate-subject.ts';

/**
 * An import without what a mistake is about, which goes to the report. Several mistakes may be about one thing: each
 * is told, and it is left out once. Undefined where there is nothing to leave out.
 */
export function dropSubject(
  imported: Imported,
  table: ImportedTable | undefined,
  subject: Subject,
  { message, hint }: Diagnostic,
  report: ImportReport,
): Imported | undefined {
  if (subject.kind === 'role') return dropRole(imported, subject.role, message, report);
  if (!table) return undefined;
  const label = tableLabel(table);
  switch (subject.kind) {
    case 'table': {
      const loss = table.rules.length > 0 ? 'permission' : 'feature';
      const counted = withPermissions(table.rules.length);
      report.add(loss, table.from, `${label} is left out${counted}: ${message}`, hint);
      return { ...imported, tables: imported.tables.filter((one) => !isSame(one, table)) };
    }
    case 'name': {
      const what = subject.path.join('.');
      report.add('feature', table.from, `${label}: graphql.${what} is left out: ${message}`, hint);
      return replaced(imported, table, (one) => ({
        ...one,
        graphql: without(one.graphql, subject.path),
      }));
    }
    case 'relationship': {
      const { name } = subject;
      const from = table.relationships.find((one) => one.name === name)?.from ?? table.from;
      const what = `${label}: the relationship "${name}" is left out`;
      report.add('feature', from, `${what}: ${message}`, hint);
      return replaced(imported, table, (one) => ({
        ...one,
        relationships: one.relationships.filter((other) => other.name !== name),
      }));
    }
    case 'rule': {
      const { role, command } = subject;
      const matches = (rule: { readonly role: string; readonly command: string }) =>
        rule.role === role && rule.command === command;
      const from = table.rules.find(matches)?.from ?? table.from;
      report.add('permission', from, `${label}, role "${role}", ${command}: ${message}`, hint);
      return replaced(imported, table, (one) => ({
        ...one,
        rules: one.rules.filter((rule) => !matches(rule)),
      }));
    }
  }
}

function dropRole(
  imported: Imported,
  role: string,
  message: string,
  report: ImportReport,
): Imported {
  for (const table of imported.tables) {
    for (const rule of table.rules.filter((one) => one.role === role)) {
      const where = `${tableLabel(table)}, role "${role}", ${rule.command}`;
      const hint = 'give the role another name in Hasura first';
      report.add('permission', rule.from, `${where}: ${message}`, hint);
    }
  }
  const rules = (table: ImportedTable) => table.rules.filter((rule) => rule.role !== role);
  return {
    ...imported,
    tables: imported.tables.map((table) => ({ ...table, rules: rules(table) })),
  };
}

function replaced(
  imported: Imported,
  table: ImportedTable,
  change: (table: ImportedTable) => ImportedTable,
): Imported {
  return {
    ...imported,
    tables: imported.tables.map((one) => (isSame(one, table) ? change(one) : one)),
  };
}

function isSame(a: ImportedTable, b: ImportedTable): boolean {
  return tableKey(a) === tableKey(b);
}

/** A map without the value at a path; maps that become empty go too. */
function without(map: PlainMap, [first = '', ...rest]: readonly string[]): PlainMap {
  const below = map.get(first);
  const kept = rest.length > 0 && below instanceof Map ? without(below, rest) : undefined;
  const entries = [...map].filter(([key]) => key !== first || (kept?.size ?? 0) > 0);
  return new Map<string, Plain>(
    entries.map(([key, value]) => [key, key === first && kept ? kept : value]),
  );
}
