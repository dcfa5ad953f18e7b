import { type SQL, sql } from 'postgraphile/pg-sql2';
import type { ObjectName } from '../../../../permissions/index.ts';
import { RequestError, validationFailed } from '../../request-error.ts';
import { PLACEHOLDER } from '../../schema/plugins/inputs/insert-types-plugin.ts';
import type { ColumnView } from '../../schema/view/column-view.ts';
import type { ConstraintView, TableView, UpsertView } from '../../schema/view/table-view.ts';
import type { Compilation } from '../compilation.ts';
import type { Input } from '../input/input.ts';
import { writeCondition } from './masked-columns.ts';
import { isPreset } from './row-values.ts';

/** The reaction of an insert to a conflicting row. */
export type Conflict =
  | { readonly kind: 'none' }
  /** ` on conflict …` */
  | { readonly kind: 'clause'; readonly sql: SQL }
  /**
   * A row-by-row insert. Postgres does not allow an `on conflict` clause, since the role may not read the constraint's
   * columns.
   */
  | {
      readonly kind: 'row by row';
      readonly constraint: ConstraintView;
      /** The function that opens a cursor on the conflicting row; undefined when that row stays unchanged. */
      readonly conflictLookup: ObjectName | undefined;
      /** Columns of the conflicting row that get the new values. */
      readonly columns: readonly ColumnView[];
    };

/** Reads the `on_conflict` argument of an insert. @throws RequestError */
export function readConflict(
  compilation: Compilation,
  table: TableView,
  alias: SQL,
  input: Input | undefined,
  path: string,
): Conflict {
  const upsert = table.insert?.upsert;
  if (!input || input.isNull() || !upsert) return { kind: 'none' };
  const given = Object.fromEntries(input.fields());
  const constraint = constraintOf(upsert, given.constraint);
  const columns = columnsOf(upsert, given.update_columns, path);
  const where = given.where && !given.where.isNull() ? given.where : undefined;
  if (columns.length > 0 && table.update) compilation.use(table.update.rule);
  const handling = columns.length === 0 ? constraint.ignoring : constraint.updating;
  if (handling.kind === 'refused') throw unchangeable(constraint, handling.why, path);
  if (handling.kind === 'row by row') {
    if (handling.conflictLookup) checkUnreadRow(table, columns, where, path);
    return { kind: 'row by row', constraint, conflictLookup: handling.conflictLookup, columns };
  }
  // Postgres accepts an upsert only when the role may select the conflicting row before and after the change.
  compilation.use(table.select);
  const target = sql` on conflict on constraint ${sql.identifier(constraint.name)}`;
  if (columns.length === 0) return { kind: 'clause', sql: sql`${target} do nothing` };
  const changes = assignmentsOf(table, columns, path);
  const conditions = [updateCheckCondition(table, upsert, alias)];
  if (where) {
    const compileOnce = () => writeCondition(compilation, table, alias, where, `${path}.where`);
    // Each row with nested rows needs a separate insert statement, but the condition counts once.
    conditions.push(compilation.counter.once(input, compileOnce));
  }
  const passed = conditions.filter((condition) => condition !== undefined);
  const tail = passed.length > 0 ? sql` where ${sql.join(passed, ' and ')}` : sql.blank;
  return { kind: 'clause', sql: sql`${target} do update set ${changes}${tail}` };
}

function assignmentsOf(table: TableView, columns: readonly ColumnView[], path: string): SQL {
  const unread = columns.filter(({ column }) => !table.readable.has(column));
  if (unread.length > 0) {
    const message = `with this constraint, update_columns may only contain columns that the role may read, not ${namesOf(unread)}`;
    throw new RequestError('not-supported', message, `${path}.update_columns`);
  }
  const changes = columns.map(
    ({ column }) => sql`${sql.identifier(column)} = excluded.${sql.identifier(column)}`,
  );
  return sql.join(changes, ', ');
}

/**
 * Returns true if the written row has the value that the client gave for a column. After a conflict, columns that are
 * not updated keep the values of the existing row.
 */
export function isAsGiven(table: TableView, input: Input | undefined, name: string): boolean {
  const upsert = table.insert?.upsert;
  if (!input || input.isNull() || !upsert) return true;
  const given = Object.fromEntries(input.fields());
  const changed = columnsOf(upsert, given.update_columns, '');
  const { columns } = constraintOf(upsert, given.constraint);
  return changed.length === 0 || [...changed, ...columns].some(({ column }) => column === name);
}

function unchangeable({ name }: ConstraintView, why: string, path: string): RequestError {
  const message = `with constraint "${name}" the conflicting row cannot be updated: ${why}; leave update_columns out, or let the role select the columns of the constraint and the primary key`;
  return new RequestError('not-supported', message, `${path}.update_columns`);
}

// Refuses `where` and preset columns in an upsert without the right to read the conflicting row. The statement cannot
// read that row for `where`, nor the values that presets have given to the new row.
function checkUnreadRow(
  table: TableView,
  columns: readonly ColumnView[],
  where: Input | undefined,
  path: string,
): void {
  if (where && where.fields().length > 0) {
    const message = 'the role may not read the conflicting row, so that "where" is not possible';
    throw new RequestError('not-supported', message, `${path}.where`);
  }
  const preset = columns.filter(({ column }) => isPreset(table, column));
  if (preset.length === 0) return;
  const message = `the role may not read the conflicting row, which therefore cannot get preset values: ${namesOf(preset)}`;
  throw new RequestError('not-supported', message, `${path}.update_columns`);
}

function namesOf(columns: readonly ColumnView[]): string {
  return columns.map(({ name }) => `"${name}"`).join(', ');
}

function constraintOf({ constraints }: UpsertView, input: Input | undefined): ConstraintView {
  const found = constraints.get(String(input?.constant()));
  if (!found) throw new Error('a constraint passed the check but is not known');
  return found;
}

function columnsOf(
  upsert: UpsertView,
  input: Input | undefined,
  path: string,
): readonly ColumnView[] {
  return (input?.items() ?? []).map((item) => {
    const name = String(item.constant());
    const column = upsert.columns.get(name);
    if (!column || name === PLACEHOLDER) throw validationFailed('erroneous column name', path);
    return column;
  });
}

// The update check skips conflicting rows that the role may not update. Without this check, Postgres would refuse the
// whole statement.
function updateCheckCondition(
  { model }: TableView,
  { updateCheck }: UpsertView,
  alias: SQL,
): SQL | undefined {
  if (!updateCheck) return undefined;
  const key = model.primaryKey.map((name) => sql`${alias}.${sql.identifier(name)}`);
  return sql`${sql.identifier(updateCheck.schema, updateCheck.name)}(${sql.join(key, ', ')})`;
}
