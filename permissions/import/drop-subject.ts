import type { Diagnostic } from '../diagnostics.ts';
import { dropOfActions, isOfActions, type OfActions } from './drop-action.ts';
import { uncallableBy } from './drop-function.ts';
import { actionWithout } from './hasura/actions/translate-actions.ts';
import { withPermissions } from './hasura/count.ts';
import type { ImportReport, Loss } from './hasura/import-report.ts';
import type {
  Imported,
  ImportedAllowEntry,
  ImportedRule,
  ImportedTable,
  Plain,
  PlainMap,
} from './hasura/imported.ts';
import type { Cursor } from './hasura/input/cursor.ts';
import { tableKey, tableLabel } from './hasura/table-name.ts';
import { type Subject, sourceInTable } from './subject.ts';

type OfTable = Exclude<Subject, { kind: 'role' | 'schedule' } | OfActions>;

/**
 * Returns the import without the subject of a mistake, e.g. a rule or a relationship, and reports the mistake. Several
 * mistakes may have one subject: each is reported, and the subject is omitted once. Returns undefined when the mistake
 * has no subject that can be omitted.
 */
export function dropSubject(
  imported: Imported,
  table: ImportedTable | undefined,
  subject: Subject,
  mistake: Diagnostic,
  report: ImportReport,
): Imported | undefined {
  const { message, hint } = mistake;
  if (subject.kind === 'role') return dropRole(imported, subject.role, message, report);
  if (subject.kind === 'schedule') return dropSchedule(imported, subject.name, mistake, report);
  if (isOfActions(subject)) return dropOfActions(imported, subject, mistake, report);
  if (!table) return undefined;
  const { loss, from, what } = describe(table, subject);
  report.add(loss, from, `${tableLabel(table)}${what}: ${message}`, hint);
  const isOther = (one: ImportedTable) => tableKey(one) !== tableKey(table);
  return {
    ...imported,
    tables: imported.tables.flatMap((one) => (isOther(one) ? [one] : reduced(one, subject))),
  };
}

interface Described {
  readonly loss: Loss;
  readonly from: Cursor;
  /** Describes the subject in a message, after the name of the table. */
  readonly what: string;
}

function describe(table: ImportedTable, subject: OfTable): Described {
  const { from, rules } = table;
  const feature = (what: string): Described => ({
    loss: 'feature',
    from: sourceInTable(subject, table) ?? from,
    what,
  });
  switch (subject.kind) {
    case 'table': {
      const loss = rules.length > 0 ? 'permission' : 'feature';
      return { loss, from, what: ` is left out${withPermissions(rules.length)}` };
    }
    case 'enum':
      return feature(' comes over as an ordinary table');
    case 'name':
      return feature(`: graphql.${subject.path.join('.')} is left out`);
    case 'relationship':
      return feature(`: the relationship "${subject.name}" is left out`);
    case 'computed field':
      return feature(`: the computed field "${subject.name}" is left out`);
    case 'event':
      return feature(`: the event trigger "${subject.name}" is left out`);
    case 'rule':
      return {
        ...feature(`, role "${subject.role}", ${subject.command}`),
        loss: 'permission',
      };
  }
}

/** Returns the table without the subject. The list is empty when nothing remains of the table. */
function reduced(table: ImportedTable, subject: OfTable): readonly ImportedTable[] {
  const { graphql, relationships, computedFields, rules, events } = table;
  switch (subject.kind) {
    case 'table':
      return [];
    case 'enum':
      return [{ ...table, isEnum: false }];
    case 'name':
      return [{ ...table, graphql: without(graphql, subject.path) }];
    case 'relationship': {
      const remaining = relationships.filter(({ name }) => name !== subject.name);
      return [{ ...table, relationships: remaining }];
    }
    case 'computed field': {
      const remaining = computedFields.filter(({ name }) => name !== subject.name);
      const read = rules.map((rule) => withoutComputed(rule, subject.name));
      return [{ ...table, computedFields: remaining, rules: read }];
    }
    case 'event':
      return [{ ...table, events: events.filter(({ name }) => name !== subject.name) }];
    case 'rule':
      return [{ ...table, rules: rules.filter((rule) => !isRule(rule, subject)) }];
  }
}

function withoutComputed(rule: ImportedRule, field: string): ImportedRule {
  const names = rule.body.get('computed_fields');
  if (!Array.isArray(names) || !names.includes(field)) return rule;
  const remaining = names.filter((name) => name !== field);
  return { ...rule, body: new Map(rule.body).set('computed_fields', remaining) };
}

function isRule(rule: ImportedRule, subject: Extract<Subject, { kind: 'rule' }>): boolean {
  return rule.role === subject.role && rule.command === subject.command;
}

function dropRole(
  imported: Imported,
  role: string,
  message: string,
  report: ImportReport,
): Imported {
  const hint = 'give the role another name in Hasura first';
  const tables = imported.tables.map((table) => {
    for (const { command, from } of table.rules.filter((rule) => rule.role === role)) {
      const where = `${tableLabel(table)}, role "${role}", ${command}`;
      report.add('permission', from, `${where}: ${message}`, hint);
    }
    return { ...table, rules: table.rules.filter((rule) => rule.role !== role) };
  });
  const inheritingRoles = imported.inheritingRoles.flatMap((inheritingRole) => {
    const inherits = inheritingRole.inherits.filter((one) => one !== role);
    if (inheritingRole.role === role) {
      report.add(
        'permission',
        inheritingRole.from,
        `the inherited role "${role}": ${message}`,
        hint,
      );
    }
    return inheritingRole.role === role || inherits.length === 0
      ? []
      : [{ ...inheritingRole, inherits }];
  });
  const { collections, allow } = imported.allowList;
  return {
    ...imported,
    tables,
    inheritingRoles,
    functions: imported.functions.map((called) => uncallableBy(called, role)),
    actions: imported.actions.map((action) => actionWithout(action, role)),
    roleSettings: new Map([...imported.roleSettings].filter(([name]) => name !== role)),
    allowList: { collections, allow: allow.flatMap((entry) => withoutRole(entry, role)) },
  };
}

/** Removes a role from an entry of the allow-list. The result is an empty list when the entry named only this role. */
function withoutRole(entry: ImportedAllowEntry, role: string): readonly ImportedAllowEntry[] {
  const roles = entry.roles?.filter((name) => name !== role);
  return roles?.length === 0 ? [] : [{ ...entry, roles }];
}

function dropSchedule(
  imported: Imported,
  name: string,
  { message, hint }: Diagnostic,
  report: ImportReport,
): Imported {
  for (const { from } of imported.schedules.filter((one) => one.name === name)) {
    report.add('feature', from, `the cron trigger "${name}" is left out: ${message}`, hint);
  }
  return { ...imported, schedules: imported.schedules.filter((one) => one.name !== name) };
}

/** Returns a map without the value at a path, and without maps that become empty. */
function without(map: PlainMap, [first = '', ...rest]: readonly string[]): PlainMap {
  const below = map.get(first);
  const remaining = rest.length > 0 && below instanceof Map ? without(below, rest) : undefined;
  const left = new Map<string, Plain>(map);
  if (remaining && remaining.size > 0) left.set(first, remaining);
  else left.delete(first);
  return left;
}
