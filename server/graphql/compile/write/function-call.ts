import type { FieldNode } from 'postgraphile/graphql';
import { type SQL, sql } from 'postgraphile/pg-sql2';
import type { FunctionRoot } from '../../schema/view/function-view.ts';
import { bounded } from '../bounded-columns.ts';
import type { Compilation } from '../compilation.ts';
import { newAlias, TEXT } from '../fragments.ts';
import { compileRootCall, compileShown, rowsOnce } from '../function-field.ts';
import { compileText } from '../statement.ts';
import type { Assemble } from './mutation.ts';
import { rowTexts, type WriteProgram, type WriteStep, writtenRows } from './program.ts';

interface FunctionCall {
  readonly compilation: Compilation;
  readonly program: WriteProgram;
  readonly called: FunctionRoot;
  /** All fields with the same response key. */
  readonly nodes: readonly FieldNode[];
}

/**
 * Adds a function call to a mutation. The function runs once, whichever of its rows and columns the client selects. A
 * later statement reads related rows, because a statement does not see rows that are written during its execution.
 * @throws RequestError for problems that only compilation finds
 */
export function addFunctionCall(request: FunctionCall): Assemble {
  const { compilation, program, called, nodes } = request;
  const { table } = called;
  const call = compileRootCall(compilation, called, nodes);
  const rows = newAlias();
  const shown = (source: SQL) =>
    bounded(compileShown(compilation, called, nodes, source), compilation.byteLimit);
  const answerOf = (step: number): Assemble => {
    return (results) => results[step]?.[0] ?? 'null';
  };
  // Counting all rows makes the function run to its end, even when `limit` is 0.
  const count = sql`(select pg_catalog.count(*) from ${rows})`;
  if (isPlain(request)) {
    const value = sql`case when ${count} operator(pg_catalog.>=) 0 then ${shown(rows)} end`;
    return answerOf(addStep(request, sql`${rowsOnce(rows, call)} select ${value}`, true));
  }
  const { maxBytes } = program;
  const columns = [...table.readable.keys()];
  const texts = bounded(rowTexts(rows, columns, maxBytes), { maxBytes, isForAll: false });
  const readRows = sql`${rowsOnce(rows, call)} select ${count}${TEXT}, ${texts}`;
  const source = writtenRows([addStep(request, readRows, false)], table, columns);
  return answerOf(addStep(request, sql`select ${shown(source)}`, true));
}

function addStep(
  { program, called, nodes }: FunctionCall,
  statement: SQL,
  isAnswer: WriteStep['isAnswer'],
): number {
  return program.add({
    statement: compileText(statement),
    kind: 'read',
    table: called.table,
    path: `$.selectionSet.${nodes[0]?.name.value}`,
    returnsRows: false,
    isAnswer,
    whenNothing: undefined,
  });
}

/**
 * Returns true if the client selects only columns of the returned rows. The call alone then gives the answer, and no
 * later statement is needed.
 */
function isPlain({ compilation, called, nodes }: FunctionCall): boolean {
  const { columns } = called.table;
  const { where, order_by: order } = nodes[0] ? compilation.argumentsOf(nodes[0]) : {};
  const names = [...compilation.fieldsBelow(nodes)].map(([, [field]]) => field?.name.value ?? '');
  return !where && !order && names.every((name) => name === '__typename' || columns.has(name));
}
