import { passesEveryRow } from '../../expressions/combine.ts';
import { grantedColumns } from '../../expressions/granted-columns.ts';
import { printRule } from '../../expressions/print-expression.ts';
import { filterColumns } from '../../expressions/reads.ts';
import { type Grant, grantObject } from '../../objects/grant.ts';
import type { DesiredObject } from '../../objects/state/state-object.ts';
import { ident, join, qualified, sql } from '../../text/sql-text.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { Model, RoleModel, TablePermissions } from '../../types/model.ts';
import type { SelectRule } from '../../types/rules.ts';
import type { TableModel } from '../../types/tables.ts';
import { filterIsCheck } from '../policies.ts';
import type { ViewName } from './computed-views.ts';
import {
  columnsOf,
  conditionView,
  makeView,
  nameOf,
  type ViewParts,
  type ViewWrite,
  type WriteSubject,
} from './make-write-view.ts';

/**
 * The views by which a role writes a table that is itself a view, which knows no policies: Postgres writes through
 * them, holds new rows to their check options, and changes only rows that they show. Empty for all other tables.
 */
export function writeViews(role: RoleModel, table: TableModel): ReadonlyMap<ViewWrite, ViewName> {
  const rules = role.tables.get(table.key);
  if (!rules || !table.view || table.view.isInvoker) return new Map();
  return new Map(writesOf(rules).map((write) => [write, nameOf({ role, table }, write)] as const));
}

function writesOf(rules: TablePermissions): readonly ViewWrite[] {
  const returns = rules.insert && rules.select;
  return (['insert', 'return', 'update', 'delete'] as const).filter((write) =>
    write === 'return' ? returns : rules[write],
  );
}

/** The views that writeViews names, and the role's rights on them. */
export function writeViewObjects(
  role: RoleModel,
  table: TableModel,
  scope: WriteSubject['scope'],
): readonly DesiredObject[] {
  const rules = role.tables.get(table.key);
  if (!rules || writeViews(role, table).size === 0) return [];
  const subject = { role, table, rules, scope };
  return writesOf(rules).flatMap((write) => {
    if (write === 'insert' || write === 'return') return insertObjects(subject, write);
    return write === 'update' ? updateObjects(subject) : deleteObjects(subject);
  });
}

function insertObjects(
  subject: WriteSubject,
  write: 'insert' | 'return',
): readonly DesiredObject[] {
  const { insert, select } = subject.rules;
  if (!insert) return [];
  const presets = insert.presets.map(({ column }) => column);
  const seen = write === 'return' ? select : undefined;
  return [
    conditionView(subject, {
      write,
      columns: [...insert.columns, ...presets, ...readableOf(subject, seen)],
      conditions: [insert.check, ...(seen ? [seen.filter] : [])],
      references: insert.references,
      presets: insert.presets,
      // A row that is returned must be one that the view shows; by Postgres's own rules it need not be.
      checked: seen ? 'cascaded' : 'local',
    }),
    granted(subject, write, 'INSERT', insert.columns),
    ...readingOf(subject, write, seen),
  ];
}

/**
 * As of a table: a row that the role may not see it may not change, nor turn into one, nor hang one below another that
 * it may not see. What a row may turn into beyond that, the rule says; where that is not what it may change, a view
 * below holds rows to the rest.
 */
function updateObjects(subject: WriteSubject): readonly DesiredObject[] {
  const { table, rules } = subject;
  const { update, select } = rules;
  if (!update) return [];
  const columns = [...update.columns, ...readableOf(subject, select)];
  const isBound = update.check ? !passesEveryRow(update.check) : filterIsCheck(update, table);
  const seen = select && !passesEveryRow(select.filter) ? [select.filter] : [];
  const { references } = update;
  const held = { columns, conditions: seen, references };
  const whole = { ...held, write: 'update', conditions: [...seen, update.filter] } as const;
  return [
    ...(isBound || seen.length + references.length === 0
      ? [conditionView(subject, { ...whole, checked: isBound ? 'local' : undefined })]
      : heldObjects(subject, held, update.filter)),
    granted(subject, 'update', 'UPDATE', update.columns),
    ...readingOf(subject, 'update', select),
  ];
}

function heldObjects(
  subject: WriteSubject,
  held: Pick<ViewParts, 'columns' | 'conditions' | 'references'>,
  filter: BoolExp,
): readonly DesiredObject[] {
  const { table, scope } = subject;
  const row = ident('r');
  let name = 'may be changed';
  while (table.columns.has(name)) name += '~';
  const value = printRule(filter, table, scope, row).text;
  const shown = columnsOf(table, held.columns, row);
  scope.views.read(table, filterColumns(filter));
  return [
    conditionView(subject, {
      ...held,
      write: 'seen',
      checked: 'local',
      more: [sql`${value} as ${ident(name)}`],
    }),
    makeView(subject, {
      write: 'update',
      query: sql`select ${join(shown, ', ')} from ${qualified(nameOf(subject, 'seen'))} as ${row} where ${row}.${ident(name)}`,
      checked: undefined,
    }),
  ];
}

function deleteObjects(subject: WriteSubject): readonly DesiredObject[] {
  const { delete: remove, select } = subject.rules;
  if (!remove) return [];
  return [
    conditionView(subject, {
      write: 'delete',
      columns: readableOf(subject, select),
      conditions: [remove.filter, ...(select ? [select.filter] : [])],
      checked: undefined,
    }),
    granted(subject, 'delete', 'DELETE', undefined),
    ...readingOf(subject, 'delete', select),
  ];
}

/** Columns that the role sees of every row, hidden keys included. */
function readableOf(
  { rules, table }: WriteSubject,
  select: SelectRule | undefined,
): readonly string[] {
  if (!select) return [];
  const shown = grantedColumns(rules);
  return [...table.columns.keys()].filter((name) => shown.includes(name));
}

function granted(
  subject: WriteSubject,
  write: ViewWrite,
  privilege: Grant['privilege'],
  columns: readonly string[] | undefined,
): DesiredObject {
  const { role, rules } = subject;
  const position = (rules.insert ?? rules.update ?? rules.delete)?.position;
  const on = nameOf(subject, write);
  return grantObject({ privilege, on, columns, to: role.postgresName, position });
}

function readingOf(
  subject: WriteSubject,
  write: ViewWrite,
  select: SelectRule | undefined,
): readonly DesiredObject[] {
  const columns = readableOf(subject, select);
  if (!select || columns.length === 0) return [];
  const on = nameOf(subject, write);
  const to = subject.role.postgresName;
  return [grantObject({ privilege: 'SELECT', on, columns, to, position: select.position })];
}

/** What the owner of those views must be able to do to the views of people's own that they write. */
export function viewWriteRights(model: Model, policyRole: string): readonly DesiredObject[] {
  return [...model.tables.values()].flatMap((table) => {
    const roles = [...model.roles.values()].filter((role) => writeViews(role, table).size > 0);
    const rules = roles.flatMap((role) => role.tables.get(table.key) ?? []);
    const columns = (write: 'insert' | 'update') => {
      const found = rules.flatMap(({ [write]: rule }) => [
        ...(rule?.columns ?? []),
        ...(rule?.presets ?? []).map(({ column }) => column),
      ]);
      return [...new Set(found)];
    };
    const made = [
      ['INSERT', columns('insert')],
      ['UPDATE', columns('update')],
    ] as const;
    const removes = rules.some((rule) => rule.delete !== undefined);
    return [
      ...made.flatMap(([privilege, names]) =>
        names.length > 0
          ? [grantObject({ privilege, on: table, columns: names, to: policyRole })]
          : [],
      ),
      ...(removes ? [grantObject({ privilege: 'DELETE', on: table, to: policyRole })] : []),
    ];
  });
}
