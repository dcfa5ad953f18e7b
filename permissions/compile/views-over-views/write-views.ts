import type { RoleAccess, TableAccess } from '../../access/table-access.ts';
import { type ViewWrite, writeView } from '../../access/writes.ts';
import { passesEveryRow } from '../../expressions/combine.ts';
import { filterColumns } from '../../expressions/dependencies.ts';
import { grantedColumns } from '../../expressions/granted-columns.ts';
import { printRule } from '../../expressions/print/print-expression.ts';
import { type Grant, grantObject } from '../../objects/privileges/grant.ts';
import type { DesiredObject } from '../../objects/state/state-object.ts';
import { ident, join, qualified, sql } from '../../text/sql-text.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { SelectRule } from '../../types/rules.ts';
import type { TableModel } from '../../types/tables.ts';
import { type Compiled, type CompileScope, nothing, together } from '../compiled.ts';
import { filterIsCheck } from '../policies.ts';
import {
  columnsOf,
  conditionView,
  makeView,
  type ViewParts,
  type WriteSubject,
} from './make-write-view.ts';

/** Returns the views through which a role writes a table that is itself a view, and the role's rights on them. */
export function writeViewObjects(access: TableAccess, scope: CompileScope): Compiled {
  const subject = { access, scope };
  const made = [...access.writes.keys()].map((write) => {
    if (write === 'insert' || write === 'return') return insertObjects(subject, write);
    return write === 'update' ? updateObjects(subject) : deleteObjects(subject);
  });
  return together(made);
}

function insertObjects(subject: WriteSubject, write: 'insert' | 'return'): Compiled {
  const { insert, select } = subject.access.rules;
  if (!insert) return nothing;
  const presets = insert.presets.map(({ column }) => column);
  const seen = write === 'return' ? select : undefined;
  const view = conditionView(subject, {
    write,
    columns: [...insert.columns, ...presets, ...readableOf(subject, seen)],
    conditions: [insert.check, ...(seen ? [seen.filter] : [])],
    references: insert.references,
    presets: insert.presets,
    // Postgres does not require that the view shows a row that an insert returns. `cascaded` adds this requirement.
    checked: seen ? 'cascaded' : 'local',
  });
  return withRights(view, [
    granted(subject, write, 'INSERT', insert.columns),
    ...readingOf(subject, write, seen),
  ]);
}

/**
 * Returns the views for updates. They enforce the same conditions as policies on a table: a role may change only rows
 * that it sees, the changed row must stay visible, and the row must refer only to visible rows. The check of the rule
 * limits the new row further. When the update filter is not part of the check, one view filters the rows to change, and
 * a second view below it checks the changed row.
 */
function updateObjects(subject: WriteSubject): Compiled {
  const { table, rules } = subject.access;
  const { update, select } = rules;
  if (!update) return nothing;
  const columns = [...update.columns, ...readableOf(subject, select)];
  const isBound = update.check ? !passesEveryRow(update.check) : filterIsCheck(update, table);
  const seen = select && !passesEveryRow(select.filter) ? [select.filter] : [];
  const { references } = update;
  const held = { columns, conditions: seen, references };
  const whole = { ...held, write: 'update', conditions: [...seen, update.filter] } as const;
  const views =
    isBound || seen.length + references.length === 0
      ? conditionView(subject, { ...whole, checked: isBound ? 'local' : undefined })
      : heldObjects(subject, held, update.filter);
  return withRights(views, [
    granted(subject, 'update', 'UPDATE', update.columns),
    ...readingOf(subject, 'update', select),
  ]);
}

function heldObjects(
  subject: WriteSubject,
  held: Pick<ViewParts, 'columns' | 'conditions' | 'references'>,
  filter: BoolExp,
): Compiled {
  const { access, scope } = subject;
  const { role, table } = access;
  const row = ident('r');
  let name = 'may be changed';
  while (table.columns.has(name)) name += '~';
  const value = printRule(filter, table, scope, row);
  const shown = columnsOf(table, held.columns, row);
  const seen = conditionView(subject, {
    ...held,
    write: 'seen',
    checked: 'local',
    more: [sql`${value.text} as ${ident(name)}`],
  });
  const view = makeView(subject, {
    write: 'update',
    query: sql`select ${join(shown, ', ')} from ${qualified(writeView(role, table, 'seen'))} as ${row} where ${row}.${ident(name)}`,
    checked: undefined,
  });
  return {
    objects: [...seen.objects, view],
    needs: [...value.views, { table, columns: filterColumns(filter) }, ...seen.needs],
  };
}

function deleteObjects(subject: WriteSubject): Compiled {
  const { delete: remove, select } = subject.access.rules;
  if (!remove) return nothing;
  const view = conditionView(subject, {
    write: 'delete',
    columns: readableOf(subject, select),
    conditions: [remove.filter, ...(select ? [select.filter] : [])],
    checked: undefined,
  });
  return withRights(view, [
    granted(subject, 'delete', 'DELETE', undefined),
    ...readingOf(subject, 'delete', select),
  ]);
}

function withRights({ objects, needs }: Compiled, rights: readonly DesiredObject[]): Compiled {
  return { objects: [...objects, ...rights], needs };
}

/**
 * Returns the columns that the role may read in every row. They include hidden keys, which relationships join by
 * although the rule does not list them.
 */
function readableOf(
  { access: { rules, table } }: WriteSubject,
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
  const { role, table, rules } = subject.access;
  const position = (rules.insert ?? rules.update ?? rules.delete)?.position;
  const on = writeView(role, table, write);
  return grantObject({ privilege, on, columns, to: role.postgresName, position });
}

function readingOf(
  subject: WriteSubject,
  write: ViewWrite,
  select: SelectRule | undefined,
): readonly DesiredObject[] {
  const columns = readableOf(subject, select);
  if (!select || columns.length === 0) return [];
  const { role, table } = subject.access;
  const on = writeView(role, table, write);
  const to = role.postgresName;
  return [grantObject({ privilege: 'SELECT', on, columns, to, position: select.position })];
}

/** Returns the rights on a user-defined view that the owner of the generated views for writing needs. */
export function viewWriteRights(
  table: TableModel,
  accesses: readonly RoleAccess[],
  policyRole: string,
): readonly DesiredObject[] {
  const reached = accesses.flatMap(({ tables }) => tables.get(table.key) ?? []);
  const rules = reached.flatMap((access) => (access.writes.size > 0 ? [access.rules] : []));
  const columns = (write: 'insert' | 'update') => {
    const found = rules.flatMap(({ [write]: rule }) => [
      ...(rule?.columns ?? []),
      ...(rule?.presets ?? []).map(({ column }) => column),
    ]);
    return [...new Set(found)];
  };
  const removes = rules.some((rule) => rule.delete !== undefined);
  const rights: readonly Pick<Grant, 'privilege' | 'columns'>[] = [
    { privilege: 'INSERT', columns: columns('insert') },
    { privilege: 'UPDATE', columns: columns('update') },
    ...(removes ? [{ privilege: 'DELETE' } as const] : []),
  ];
  return rights
    .filter((one) => one.columns?.length !== 0)
    .map((one) => grantObject({ ...one, on: table, to: policyRole }));
}
