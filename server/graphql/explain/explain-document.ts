import type pg from 'pg';
import { CommandError, type Principal, sqlState } from '../../../permissions/index.ts';
import type { FieldStatement } from '../execute/field-statements.ts';
import { RequestError } from '../request-error.ts';
import { type CompileScope, compileQuery, type QuestionedQuery } from './compile-query.ts';
import { explainQuery, type FieldExplanation } from './explain-query.ts';

export interface ExplainDocumentOptions extends CompileScope {
  readonly principal: Principal;
  readonly analyze: boolean;
}

/**
 * Compiles a query for a role and for the admin role, and explains both. Must run in a transaction of the login that
 * applies rules; the caller rolls it back.
 * @throws CommandError RG_USAGE when the role or Postgres cannot run the query
 */
export async function explainDocument(
  client: pg.ClientBase,
  question: QuestionedQuery,
  { principal, analyze, ...scope }: ExplainDocumentOptions,
): Promise<readonly FieldExplanation[]> {
  const { model } = scope;
  const statements = compiled(question, principal.role.name, scope, refuse);
  const unruled = compiled(question, 'admin', scope, () => []);
  return explainQuery(client, { model, principal, statements, unruled, analyze }).catch(
    refuseQuery,
  );
}

function compiled(
  question: QuestionedQuery,
  name: string,
  scope: CompileScope,
  onRefusal: (error: RequestError) => readonly FieldStatement[],
): readonly FieldStatement[] {
  const role = scope.model.roles.get(name);
  if (!role) return [];
  try {
    return compileQuery(question, role, scope);
  } catch (error) {
    if (error instanceof RequestError) return onRefusal(error);
    throw error;
  }
}

function refuse(error: RequestError): never {
  throw new CommandError('RG_USAGE', error.message, { exitCode: 2, cause: error });
}

/** Classes of SQLSTATEs that say nothing about the query: failures of the connection, of resources and of the server. */
const otherClasses = /^(08|40|53|55|57|58|F0|XX)/;

const readOnlyState = '25006';

/** Converts an error of Postgres about the query, such as one of a function that it calls. */
function refuseQuery(cause: unknown): never {
  const state = sqlState(cause);
  if (!(cause instanceof Error) || state === undefined || otherClasses.test(state)) throw cause;
  throw new CommandError('RG_USAGE', `Postgres cannot run the query: ${cause.message}`, {
    ...{ exitCode: 2, cause },
    hint: state === readOnlyState ? 'explain it without running it' : undefined,
  });
}
