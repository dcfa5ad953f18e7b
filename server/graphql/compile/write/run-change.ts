import { type SQL, sql } from 'postgraphile/pg-sql2';
import { boundedColumns } from '../bounded-columns.ts';
import type { Written } from '../input/input.ts';
import { compileText } from '../statement.ts';
import type { Answer } from './answer.ts';
import {
  affectedRows,
  type Change,
  changeStatement,
  rowTexts,
  type WriteProgram,
  writtenRows,
} from './program.ts';

/**
 * Adds a step that runs a change and returns the client's selection of the changed rows.
 * @returns a function that assembles the answer from the results
 */
export function addAnsweredChange(
  program: WriteProgram,
  change: Omit<Change, 'columns'>,
  answer: Answer,
  path: string,
): (results: Written) => string {
  const { kind, table } = change;
  if (!answer.isPlainFor(kind)) {
    const step = addChange(program, { ...change, columns: answer.columns }, path);
    return addAnswer(program, [step], [step], { answer, table, path });
  }
  const columns = answer.columns;
  const statement = changeStatement({ ...change, columns }, (rows) =>
    answer.needsRows ? answer.compile(rows) : undefined,
  );
  const step = program.add({
    ...{ statement, kind, table, path },
    returnsRows: change.mustBeSelectable ?? columns.length > 0,
    isAnswer: true,
    whenNothing: undefined,
  });
  return (results) => answer.assemble(affectedRows(results, step), results[step]?.slice(1) ?? []);
}

/**
 * Adds a step whose changed rows are passed to later steps instead of the client.
 * @returns the number of the step
 */
export function addChange(program: WriteProgram, change: Change, path: string): number {
  const { kind, table, columns } = change;
  const { maxBytes } = program;
  const answers = (rows: SQL) =>
    columns.length > 0
      ? boundedColumns([rowTexts(rows, columns, maxBytes)], { maxBytes, isForAll: false })
      : undefined;
  const statement = changeStatement(change, answers);
  return program.add({
    ...{ statement, kind, table, path },
    returnsRows: change.mustBeSelectable ?? columns.length > 0,
    isAnswer: false,
    whenNothing: undefined,
  });
}

/**
 * Adds the statement that reads the selected values of the rows that the steps `shown` returned. It runs after all
 * steps in `counted`, so it sees all rows that they wrote.
 * @returns a function that assembles the answer from the results
 */
export function addAnswer(
  program: WriteProgram,
  counted: readonly number[],
  shown: readonly number[],
  { answer, table, path }: { answer: Answer; table: Change['table']; path: string },
): (results: Written) => string {
  const count = (results: Written) =>
    counted.reduce((sum, step) => sum + affectedRows(results, step), 0);
  if (!answer.needsRows) return (results) => answer.assemble(count(results), []);
  const rows = writtenRows(shown, table, answer.columns);
  const { columns, source } = answer.compile(rows);
  const statement = compileText(sql`select ${sql.join([...columns], ', ')} from ${source}`);
  const step = program.add({
    ...{ statement, kind: 'read', table, path },
    returnsRows: false,
    isAnswer: true,
    whenNothing: undefined,
  });
  return (results) => answer.assemble(count(results), results[step] ?? []);
}
