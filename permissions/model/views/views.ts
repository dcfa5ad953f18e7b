import type { Catalog } from '../../catalog/catalog.ts';
import type { CatalogView } from '../../catalog/types.ts';
import type { Position, Report } from '../../diagnostics.ts';
import { isSame, passesEveryRow } from '../../expressions/combine.ts';
import { tablesIn } from '../../expressions/dependencies.ts';
import { grantedColumns } from '../../expressions/granted-columns.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { RoleModel, TablePermissions } from '../../types/model.ts';
import type { TableKey } from '../../types/names.ts';
import type { UpdateRule } from '../../types/rules.ts';
import type { TableModel } from '../../types/tables.ts';
import { baseTableReads } from './view-reads.ts';

/**
 * Returns whether a single generated view can enforce an update rule: the view shows the rows that may be changed, and
 * its check option enforces the check.
 */
function holdsByView({ filter, check }: UpdateRule): boolean {
  return !check || passesEveryRow(check) || isSame(check, filter);
}

interface Subject {
  readonly role: RoleModel;
  readonly table: TableModel;
  readonly rules: TablePermissions;
  readonly report: Report;
}

/**
 * Reports two kinds of rules: rules on views that Postgres cannot enforce, and rules that read a security_invoker view,
 * because such a view checks the rights of its reader.
 */
export function reportViews(
  roles: Iterable<RoleModel>,
  tables: ReadonlyMap<TableKey, TableModel>,
  catalog: Catalog,
  report: Report,
): void {
  for (const role of roles) {
    for (const [key, rules] of role.tables) {
      const table = tables.get(key);
      if (!table) continue;
      reportReached({ role, table, rules, report }, catalog);
      if (!table.view) continue;
      reportReads({ role, table, rules, report }, catalog);
      reportWrites({ role, table, rules, report });
      reportPresetsBelow({ role, table, rules, report }, catalog);
    }
  }
}

function reportRule(
  { table, role, report }: Subject,
  at: Position,
  what: string,
  hint: string,
): void {
  report.error('RG_VIEW', at, `${table.schema}.${table.name}, role "${role.name}": ${what}`, hint);
}

function reportWrites(subject: Subject): void {
  const { table, rules } = subject;
  const { insert, update, delete: remove } = rules;
  const refuse = (at: Position, command: string) =>
    reportRule(
      subject,
      at,
      `Postgres cannot ${command} through this ${table.kind}${table.view?.isInvoker ? ' by rules of its own, for it is a security_invoker one' : ''}`,
      `take the rule out, write it for the table below, or give the view an INSTEAD OF trigger${command === 'insert' ? '' : ', which holds filters only in a view that is a security barrier itself: alter view … set (security_barrier)'}`,
    );
  if (insert && !table.view?.insertable) refuse(insert.position, 'insert');
  else if (insert && insert.columns.length === 0) {
    const what = 'nothing can be inserted through a view without a column that clients may give';
    reportRule(subject, insert.position, what, 'list at least one column that clients may give');
  }
  if (update && !table.view?.updatable) refuse(update.position, 'update');
  else if (update) reportUpdate(subject, update);
  if (remove && !table.view?.deletable) refuse(remove.position, 'delete');
}

function reportUpdate(subject: Subject, update: UpdateRule): void {
  if (update.presets.length > 0) {
    const hint = 'set the columns by a trigger of the table below, or write rules for that table';
    reportRule(subject, update.position, 'presets cannot fill columns of a view on update', hint);
  }
  if (!holdsByView(update)) {
    const what = 'Postgres checks changed rows of a view against its filter or not at all';
    const hint = 'leave check out, repeat the filter in it, or write {}';
    reportRule(subject, update.position, what, hint);
  }
}

/**
 * Reports writable columns of a view that the presets of a table below overwrite, so that the written value is lost.
 */
function reportPresetsBelow({ role, table, rules, report }: Subject, catalog: Catalog): void {
  for (const write of ['insert', 'update'] as const) {
    const rule = rules[write];
    if (!rule) continue;
    const written = [...rule.columns, ...rule.presets.map(({ column }) => column)];
    for (const read of baseTableReads(table.key, catalog)) {
      const below = role.tables.get(read.table)?.[write]?.presets ?? [];
      const filled = below.map(({ column }) => column).filter((name) => written.includes(name));
      for (const name of filled.filter((one) => read.columns.includes(one))) {
        report.warning(
          'RG_VIEW',
          rule.position,
          `${table.schema}.${table.name}, role "${role.name}": the preset of the role’s rule on ${read.table} overwrites what is written to "${name}"`,
          'take the column out of this rule, or out of set there',
        );
      }
    }
  }
}

/**
 * Reports tables and views below a view that the role may not read, although Postgres requires that the reader of the
 * view may read them.
 */
function reportReads(subject: Subject, catalog: Catalog): void {
  const { role, table, rules } = subject;
  if (!rules.select) return;
  for (const read of requiredOfReader(table.key, catalog)) {
    const hidden = hiddenFrom(role, read, catalog);
    if (hidden === undefined) continue;
    const what = `Postgres requires the reader of a security_invoker view to have the right to read ${hidden}`;
    const hint = `let the role select it there, or have the view act as its owner: alter view … set (security_invoker = off)`;
    reportRule(subject, rules.select.position, what, hint);
  }
}

/**
 * Returns the tables and columns that Postgres requires the reader of a view to be able to read. A security_invoker
 * view has this requirement, even below other views. A materialized view has none, because its rows are stored.
 */
function requiredOfReader(key: TableKey, catalog: Catalog): CatalogView['reads'] {
  const found = catalog.tables.get(key);
  if (found?.kind !== 'v' || !found.view) return [];
  const { invoker, reads } = found.view;
  return reads.flatMap((read) => [
    ...(invoker ? [read] : []),
    ...requiredOfReader(read.table, catalog),
  ]);
}

/**
 * Returns a table or view, or its columns, that a role may not read directly; undefined if the role may read
 * everything. A view always counts as not readable, because roles read views only through generated views.
 */
function hiddenFrom(
  role: RoleModel,
  { table: key, columns }: CatalogView['reads'][number],
  catalog: Catalog,
): string | undefined {
  const rules = role.tables.get(key);
  const readable = rules ? grantedColumns(rules) : [];
  if (readable.length === 0 || catalog.tables.get(key)?.view) return key;
  const hidden = columns.filter((name) => !readable.includes(name));
  return hidden.length === 0
    ? undefined
    : `${hidden.map((name) => `"${name}"`).join(', ')} of ${key}`;
}

/**
 * Reports rules that lead to a security_invoker view. Conditions of rules normally read other tables regardless of the
 * role's rights, but such a view checks these rights.
 */
function reportReached(subject: Subject, catalog: Catalog): void {
  const { select, insert, update, delete: remove } = subject.rules;
  const conditions: readonly (readonly [BoolExp | undefined, Position | undefined])[] = [
    [select?.filter, select?.position],
    [insert?.check, insert?.position],
    [update?.filter, update?.position],
    [update?.check, update?.position],
    [remove?.filter, remove?.position],
  ];
  for (const [condition, position] of conditions) {
    const reached = condition ? [...tablesIn(condition)] : [];
    const invoker = reached.find((key) => requiredOfReader(key, catalog).length > 0);
    if (invoker === undefined || !position) continue;
    const what = `the rule reads ${invoker}, which is or reads a security_invoker view and so checks the rights of the role itself`;
    reportRule(subject, position, what, 'read the tables below it');
  }
}
