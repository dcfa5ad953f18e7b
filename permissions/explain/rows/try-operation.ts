import type pg from 'pg';
import type { RequestScope } from '../../rights/act-as.ts';
import { afterWrite } from '../access/attempt.ts';
import { type AccessExplanation, explainAccess } from '../access/explain-access.ts';
import type { AccessQuestion } from '../access/question.ts';
import { readRows, type SeenRow } from './read-rows.ts';

/** The outcome of an operation that was tried and undone. */
export interface TriedOperation extends AccessExplanation {
  /**
   * The row as the principal sees it, after an insert or update. Absent if it was refused, and where the row cannot be
   * found again: without a primary key, or where the principal does not see it.
   */
  readonly row?: SeenRow;
}

/**
 * Explains an operation with one row, and reads the row that an allowed write would leave. Everything is undone, but
 * triggers run and sequences advance. Must run in a transaction of the login that applies rules; the caller rolls it back.
 * @throws CommandError RG_USAGE for an unusable question
 */
export async function tryOperation(
  client: pg.ClientBase,
  question: AccessQuestion,
  scope: RequestScope,
): Promise<TriedOperation> {
  const explanation = await explainAccess(client, question, scope);
  const { operation, principal, table, values } = question;
  const isWritten =
    explanation.allowed &&
    table.primaryKey.length > 0 &&
    (operation === 'insert' || (operation === 'update' && values.size > 0));
  if (!isWritten) return explanation;
  const row = await afterWrite(client, question, scope.model, async (key) => {
    const subject = { principal, table, match: new Map() };
    const texts = table.primaryKey.map((name) => key.get(name) ?? '');
    const [found] = await readRows(client, subject, [texts], scope.model);
    return found;
  });
  return { ...explanation, ...(row?.isSeen && { row }) };
}
