import { shown } from '../text/characters.ts';
import type { ImportFinding, ImportReport, Loss } from './hasura/import-report.ts';
import type { Imported } from './hasura/imported.ts';

const titles: Readonly<Record<Loss, string>> = {
  permission: 'permissions that are left out:',
  feature: 'not imported:',
  change: 'not quite the same:',
};

const order: readonly Loss[] = ['permission', 'feature', 'change'];

/** Formats an import as text: each finding on a line, then the counts. */
export function importText(imported: Imported, report: ImportReport): readonly string[] {
  const groups = Map.groupBy(report.findings, ({ loss }) => loss);
  return [
    ...order.flatMap((loss) => {
      const found = groups.get(loss) ?? [];
      return found.length > 0 ? [titles[loss], ...found.map(findingLine)] : [];
    }),
    countLine(imported),
  ];
}

function findingLine({ place, path, message, hint }: ImportFinding): string {
  const where = path === '' ? place : `${place} ${path}`;
  return shown(`  ${where}: ${message}${hint === undefined ? '' : `; ${hint}`}`);
}

function countLine({ tables, functions, schedules, actions }: Imported): string {
  const rules = tables.flatMap((table) => table.rules);
  const roles = new Set(rules.map(({ role }) => role));
  const events = tables.flatMap((table) => table.events).length;
  return [
    count(tables.length, 'table'),
    count(rules.length, 'permission'),
    count(roles.size, 'role'),
    ...(functions.length > 0 ? [count(functions.length, 'function')] : []),
    ...(events > 0 ? [count(events, 'event trigger')] : []),
    ...(schedules.length > 0 ? [count(schedules.length, 'schedule')] : []),
    ...(actions.length > 0 ? [count(actions.length, 'action')] : []),
  ].join(', ');
}

function count(number: number, noun: string): string {
  return number === 1 ? `1 ${noun}` : `${number} ${noun}s`;
}

/** Formats an import as JSON: `{ written, tables, permissions, roles, findings }`. */
export function importJson(imported: Imported, report: ImportReport, written: boolean): unknown {
  const rules = imported.tables.flatMap((table) => table.rules);
  return {
    written,
    tables: imported.tables.map(({ schema, name }) => ({ schema, name })),
    permissions: rules.length,
    roles: [...new Set(rules.map(({ role }) => role))].sort(),
    findings: report.findings,
  };
}
