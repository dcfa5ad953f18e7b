import { type SQL, sql } from 'postgraphile/pg-sql2';
import { cursorName, filterColumns } from '../../../../permissions/index.ts';
import type { TableView } from '../../schema/view/table-view.ts';
import type { Variables } from '../../validate/variables.ts';
import type { Compilation } from '../compilation.ts';
import { newAlias, TEXT, writtenTable } from '../fragments.ts';
import { type Input, type Parameter, parameter, type Written } from '../input/input.ts';
import { compileText, type StatementText } from '../statement.ts';
import type { Answer } from './answer.ts';
import { type Changes, compileChanges } from './changes.ts';
import type { WriteProgram } from './program.ts';
import { addAnsweredChange } from './run-change.ts';
import { asText, inArray, textValue } from './text-array.ts';

/** One update: which rows, what of them, and what is answered. */
export interface UpdateRequest {
  readonly table: TableView;
  /** `_set`, `_inc` and their like. */
  readonly args: Readonly<Record<string, Input>>;
  /** Which rows. */
  readonly condition: (alias: SQL) => SQL;
  readonly answer: Answer;
  readonly path: string;
}

/** Adds an update; the function makes the answer of the results. @throws RequestError */
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
  const mayLeave = mayLeaveSight(table, changes);
  const written = sql`${writtenTable(table, 'update')} ${alias}`;
  // Postgres holds a row that is read to the select filter afterwards, even where the cursor stands; of a view it has
  // no cursor that could be stood on.
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
  const update = { kind: 'update', table, alias, sql: change, mustBeSeen: mayLeave } as const;
  return addAnsweredChange(program, update, answer, path);
}

// Postgres refuses an update with a WHERE that takes a row out of the select filter, as a soft delete does.
function mayLeaveSight({ select, model }: TableView, { columns }: Changes): boolean {
  return filterColumns(select.filter).some(
    (name) => columns.has(name) || model.columns.get(name)?.generated === true,
  );
}

/** A statement that makes a change row by row through a cursor and answers with the count; see `update_each`. */
function eachRowStatement(rows: SQL, change: SQL): StatementText {
  const first = compileText(rows);
  const second = compileText(change);
  const all = [...first.parameters, ...second.parameters];
  const values: Parameter = (variables: Variables, written: Written) =>
    all.map((read) => asText(read(variables, written)));
  const query = textValue(inArray(first.text, 0));
  const update = textValue(inArray(second.text, first.parameters.length));
  return compileText(
    sql`select rowgate_api.update_each(${query}, ${update}, ${parameter(values)}${TEXT}[])${TEXT}`,
  );
}
