import { type SQL, sql } from 'postgraphile/pg-sql2';
import { cursorName, filterColumns } from '../../../../permissions/index.ts';
import type { TableView } from '../../schema/view/table-view.ts';
import type { Compilation } from '../compilation.ts';
import { newAlias, TEXT, writtenTable } from '../fragments.ts';
import type { Input, Written } from '../input/input.ts';
import { compileText, type StatementText } from '../statement.ts';
import type { Answer } from './answer.ts';
import { type Changes, compileChanges } from './changes.ts';
import type { WriteProgram } from './program.ts';
import { addAnsweredChange } from './run-change.ts';
import { inArray, textsOf, textValue } from './text-array.ts';

/** An update of the rows that satisfy a condition. */
export interface UpdateRequest {
  readonly table: TableView;
  /** Arguments such as `_set` and `_inc`. */
  readonly args: Readonly<Record<string, Input>>;
  /** Compiles the condition on the rows. */
  readonly condition: (alias: SQL) => SQL;
  readonly answer: Answer;
  readonly path: string;
}

/**
 * Adds an update.
 * @returns a function that assembles the answer from the results
 * @throws RequestError
 */
export function addUpdate(
  compilation: Compilation,
  program: WriteProgram,
  { table, args, condition, answer, path }: UpdateRequest,
): (results: Written) => string {
  const alias = newAlias();
  const changes = compileChanges(table, alias, args, path);
  const where = condition(alias);
  if (changes.assignments.length === 0) return () => answer.assemble(0, []);
  if (table.update) compilation.use(table.update.rule);
  compilation.use(table.select);
  const set = sql.join([...changes.assignments], ', ');
  const mayLeave = mayLeaveSelectFilter(table, changes);
  const written = sql`${writtenTable(table, 'update')} ${alias}`;
  // For a statement that reads rows, Postgres checks each changed row against the select filter. An update through a
  // cursor avoids that check, unless the update itself reads the row. A view cannot be updated through a cursor.
  if (mayLeave && table.writes.size === 0 && !answer.needsRows && !changes.readsRow) {
    const statement = eachRowStatement(
      sql`select from ${written} where ${where} for update`,
      sql`update ${written} set ${set} where current of ${sql.identifier(cursorName)}`,
    );
    const step = program.add({
      ...{ statement, kind: 'update', table, path },
      returnsRows: false,
      isAnswer: true,
      whenNothing: undefined,
    });
    return (results) => answer.assemble(Number(results[step]?.[0] ?? 0), []);
  }
  const change = sql`update ${written} set ${set} where ${where}`;
  const update = { kind: 'update', table, alias, sql: change, mustBeSelectable: mayLeave } as const;
  return addAnsweredChange(program, update, answer, path);
}

// Returns true if the update may move rows out of the select filter, as a soft delete does. Postgres refuses such a
// change when the update has a WHERE clause.
function mayLeaveSelectFilter({ select, model }: TableView, { columns }: Changes): boolean {
  return filterColumns(select.filter).some(
    (name) => columns.has(name) || model.columns.get(name)?.generated === true,
  );
}

/**
 * Compiles a statement that changes rows one by one through a cursor and returns their number; see
 * `rowgate_api.update_each`.
 */
function eachRowStatement(rows: SQL, change: SQL): StatementText {
  const first = compileText(rows);
  const second = compileText(change);
  const all = [...first.parameters, ...second.parameters];
  const query = textValue(inArray(first.text, 0));
  const update = textValue(inArray(second.text, first.parameters.length));
  return compileText(
    sql`select rowgate_api.update_each(${query}, ${update}, ${textsOf(all)})${TEXT}`,
  );
}
