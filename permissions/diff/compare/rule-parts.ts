import { meaningOf, passesEveryRow } from '../../expressions/combine.ts';
import { describeValue } from '../../expressions/describe.ts';
import {
  queryFieldKeys,
  subscriptionFieldKeys,
} from '../../metadata/schemas/tables/graphql-names.ts';
import { listed } from '../../text/listed.ts';
import type { Model } from '../../types/model.ts';
import {
  type DeleteRule,
  type InsertRule,
  type Operation,
  operations,
  type SelectRule,
  type UpdateRule,
} from '../../types/rules.ts';
import type { Change } from '../change.ts';
import { conditionWords } from '../words/condition-words.ts';
import { type Both, type RolePair, ruleChange, without } from './scope.ts';

const verbs: Readonly<Record<Operation, string>> = {
  ...{ select: 'see', insert: 'insert', update: 'update', delete: 'delete' },
};

/** Compares which rules a role has on a table. A rule that is new is described with its rows and columns. */
export function compareExistence(pair: RolePair): readonly Change[] {
  return operations.flatMap((command) => {
    const [old, now] = [pair.before?.[command], pair.after?.[command]];
    if (old && !now) {
      const says = `may no longer ${verbs[command]} any row of ${pair.table}`;
      return [ruleChange(pair, { class: 'breaking', aspect: 'rule', command, says })];
    }
    if (old || !now) return [];
    const expression = 'filter' in now ? now.filter : now.check;
    const text = conditionWords(expression, pair.scope.after.model.headerPrefix);
    const rows = passesEveryRow(expression)
      ? `${command === 'insert' ? 'any' : 'every'} row of ${pair.table}`
      : `rows of ${pair.table} ${command === 'insert' ? 'so that' : 'where'} ${text}`;
    const details = detailsOf(now, command, pair.scope.after.model);
    const says = `may now ${verbs[command]} ${rows}`;
    return [ruleChange(pair, { class: 'review', aspect: 'rule', command, says, details })];
  });
}

/** Describes a new rule beside its rows, one line each. */
function detailsOf(rule: Rule, command: Operation, model: Model): readonly string[] {
  const presets = 'presets' in rule ? rule.presets : [];
  const check = 'filter' in rule && 'check' in rule ? rule.check : undefined;
  return [
    ...('columns' in rule
      ? [
          `columns that it may ${command === 'select' ? 'see' : 'set'}: ${rule.columns.join(', ') || 'none'}`,
        ]
      : []),
    ...(check ? [`updated rows must satisfy: ${conditionWords(check, model.headerPrefix)}`] : []),
    ...presets.map(
      ({ column, value }) => `sets ${column} to ${describeValue(value, model.headerPrefix)}`,
    ),
    ...('allowAggregations' in rule && rule.allowAggregations
      ? ['may query counts and other aggregates']
      : []),
  ];
}

type Rule = SelectRule | InsertRule | UpdateRule | DeleteRule;

/** Compares everything but the rows of the rules that a role has in both versions. */
export function compareRuleParts(pair: RolePair): readonly Change[] {
  const { before, after } = pair;
  const found: Change[] = [];
  if (before?.select && after?.select)
    found.push(...selectParts(pair, { before: before.select, after: after.select }));
  if (before?.insert && after?.insert)
    found.push(...writeParts(pair, 'insert', { before: before.insert, after: after.insert }));
  if (before?.update && after?.update)
    found.push(...writeParts(pair, 'update', { before: before.update, after: after.update }));
  if (before?.delete && after?.delete)
    found.push(...backendOnly(pair, 'delete', { before: before.delete, after: after.delete }));
  return found;
}

function selectParts(pair: RolePair, { before, after }: Both<SelectRule>): readonly Change[] {
  const { table } = pair;
  const command = 'select';
  const columns = columnChanges(pair, command, 'see', { before, after });
  const fields = without(after.computedFields, before.computedFields);
  const lostFields = without(before.computedFields, after.computedFields);
  const counts = { before: before.allowAggregations, after: after.allowAggregations };
  return [
    ...columns,
    ...(fields.length > 0
      ? [
          ruleChange(pair, {
            ...{ class: 'review', aspect: 'columns', command },
            says: `may now read the computed ${fieldWord(fields)} ${listed(fields)} of ${table}`,
          }),
        ]
      : []),
    ...(lostFields.length > 0
      ? [
          ruleChange(pair, {
            ...{ class: 'breaking', aspect: 'columns', command },
            says: `may no longer read the computed ${fieldWord(lostFields)} ${listed(lostFields)} of ${table}`,
          }),
        ]
      : []),
    ...(counts.before === counts.after
      ? []
      : [
          ruleChange(pair, {
            ...{ class: counts.after ? 'review' : 'breaking', aspect: 'aggregations', command },
            says: `may ${counts.after ? 'now' : 'no longer'} query counts and other aggregates of ${table}`,
          }),
        ]),
    ...rowLimit(pair, before.limit, after.limit),
    ...rootFields(pair, 'query', {
      before: before.queryFields ?? queryFieldKeys,
      after: after.queryFields ?? queryFieldKeys,
    }),
    ...rootFields(pair, 'subscribe to', {
      before: before.subscriptionFields ?? subscriptionFieldKeys,
      after: after.subscriptionFields ?? subscriptionFieldKeys,
    }),
  ];
}

function fieldWord(names: readonly string[]): string {
  return names.length === 1 ? 'field' : 'fields';
}

function rowLimit(
  pair: RolePair,
  before: number | undefined,
  after: number | undefined,
): readonly Change[] {
  if (before === after) return [];
  const isLower = after !== undefined && (before === undefined || after < before);
  const old = before === undefined ? 'any number' : `at most ${before}`;
  const now = after === undefined ? 'any number of' : `at most ${after}`;
  const says = `gets ${now} rows of ${pair.table} from one field of a query (before: ${old})`;
  const change = isLower ? 'breaking' : 'review';
  return [ruleChange(pair, { class: change, aspect: 'limits', command: 'select', says })];
}

function rootFields(
  pair: RolePair,
  verb: 'query' | 'subscribe to',
  { before, after }: Both<readonly string[]>,
): readonly Change[] {
  const shared = { aspect: 'root-fields', command: 'select' } as const;
  const added = without(after, before);
  const gone = without(before, after);
  return [
    ...(added.length > 0
      ? [
          ruleChange(pair, {
            ...{ ...shared, class: 'review' },
            says: `may now ${verb} ${pair.table} by ${listed(added)}`,
          }),
        ]
      : []),
    ...(gone.length > 0
      ? [
          ruleChange(pair, {
            ...{ ...shared, class: 'breaking' },
            says: `may no longer ${verb} ${pair.table} by ${listed(gone)}`,
          }),
        ]
      : []),
  ];
}

function writeParts(
  pair: RolePair,
  command: 'insert' | 'update',
  rules: Both<InsertRule | UpdateRule>,
): readonly Change[] {
  return [
    ...columnChanges(pair, command, 'set', rules),
    ...presetChanges(pair, command, rules),
    ...backendOnly(pair, command, rules),
  ];
}

function columnChanges(
  pair: RolePair,
  command: Operation,
  verb: string,
  { before, after }: Both<SelectRule | InsertRule | UpdateRule>,
): readonly Change[] {
  const gone = without(before.columns, after.columns);
  // A column that was preset is a part of the change of its preset.
  const preset = 'presets' in before ? before.presets.map(({ column }) => column) : [];
  const added = without(after.columns, [...before.columns, ...preset]);
  const where =
    command === 'select' ? '' : ` when ${command === 'insert' ? 'inserting' : 'updating'} rows`;
  const change = (names: readonly string[], word: 'now' | 'no longer') => {
    const missing = names.filter((name) => !pair.tables.after?.columns.has(name));
    const fresh = names.filter((name) => !pair.tables.before?.columns.has(name));
    const note = word === 'now' ? fresh : missing;
    const suffix =
      note.length === 0
        ? []
        : [
            `${listed(note)} ${note.length === 1 ? 'is' : 'are'} ${word === 'now' ? 'new in' : 'gone from'} the table`,
          ];
    return ruleChange(pair, {
      ...{ class: word === 'now' ? 'review' : 'breaking', aspect: 'columns', command },
      says: `may ${word} ${verb} the ${names.length === 1 ? 'column' : 'columns'} ${listed(names)} of ${pair.table}${where}`,
      details: suffix,
    });
  };
  return [
    ...(added.length > 0 ? [change(added, 'now')] : []),
    ...(gone.length > 0 ? [change(gone, 'no longer')] : []),
  ];
}

function presetChanges(
  pair: RolePair,
  command: 'insert' | 'update',
  { before, after }: Both<InsertRule | UpdateRule>,
): readonly Change[] {
  const { table, scope } = pair;
  const when = command === 'insert' ? `new rows of ${table}` : `rows of ${table} that it updates`;
  const values = (rule: InsertRule | UpdateRule, version: 'before' | 'after') =>
    new Map(
      rule.presets.map(({ column, value }) => [
        column,
        describeValue(value, scope[version].model.headerPrefix),
      ]),
    );
  const [old, now] = [values(before, 'before'), values(after, 'after')];
  return [...new Set([...old.keys(), ...now.keys()])].sort().flatMap((column) => {
    const [was, is] = [old.get(column), now.get(column)];
    if (was === is) return [];
    const shared = { aspect: 'presets', command } as const;
    if (was === undefined) {
      const isLost = before.columns.includes(column);
      const says = `may no longer choose ${column} in ${when}: it is now always ${is}`;
      const sets = `gets ${column} set to ${is} in ${when}`;
      return [
        ruleChange(pair, {
          ...shared,
          class: isLost ? 'breaking' : 'review',
          says: isLost ? says : sets,
        }),
      ];
    }
    if (is !== undefined) {
      const says = `gets ${column} set to ${is} in ${when} (before: ${was})`;
      return [ruleChange(pair, { ...shared, class: 'review', says })];
    }
    const chooses = after.columns.includes(column);
    const rest = command === 'insert' ? 'it gets its default' : 'it stays as it is';
    const says = chooses
      ? `may now choose ${column} in ${when} (before: always ${was})`
      : `no longer gets ${column} set to ${was} in ${when}: ${rest}`;
    return [ruleChange(pair, { ...shared, class: chooses ? 'dangerous' : 'review', says })];
  });
}

function backendOnly(
  pair: RolePair,
  command: 'insert' | 'update' | 'delete',
  { before, after }: Both<{ readonly backendOnly: boolean }>,
): readonly Change[] {
  if (before.backendOnly === after.backendOnly) return [];
  const says = after.backendOnly
    ? `may no longer ${command} rows of ${pair.table} directly over GraphQL, only through a backend with the admin secret`
    : `may now ${command} rows of ${pair.table} over GraphQL without the admin secret of a backend`;
  const change = after.backendOnly ? 'breaking' : 'dangerous';
  return [ruleChange(pair, { class: change, aspect: 'backend-only', command, says })];
}

/** Whether two parts of the model mean the same, whatever their positions. */
export function isEqual(before: unknown, after: unknown): boolean {
  return meaningOf([before]) === meaningOf([after]);
}
