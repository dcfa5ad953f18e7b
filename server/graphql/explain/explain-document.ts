import type pg from 'pg';
import { CommandError, type Principal } from '../../../permissions/index.ts';
import type { FieldStatement } from '../execute/field-statements.ts';
import { RequestError } from '../request-error.ts';
import { readRegistry } from '../schema/registry/read-registry.ts';
import { type CompileScope, compileQuery, type QuestionedQuery } from './compile-query.ts';
import { explainQuery, type FieldExplanation } from './explain-query.ts';

export interface ExplainDocumentOptions extends Omit<CompileScope, 'registry'> {
  readonly principal: Principal;
  /** URL of any login, since only the catalogs are read. */
  readonly databaseUrl: string;
  readonly analyze: boolean;
}

/**
 * Compiles a query for a role and for the admin role, and explains both. Must run in a transaction of the login that
 * applies rules; the caller rolls it back.
 * @throws CommandError RG_USAGE when the role cannot run the query
 */
export async function explainDocument(
  client: pg.ClientBase,
  question: QuestionedQuery,
  { model, config, principal, databaseUrl, analyze }: ExplainDocumentOptions,
): Promise<readonly FieldExplanation[]> {
  const registry = await readRegistry(databaseUrl, model.tables.values());
  const scope = { model, config, registry };
  const statements = compiled(question, principal.role.name, scope, refuse);
  const unruled = compiled(question, 'admin', scope, () => []);
  return explainQuery(client, { model, principal, statements, unruled, analyze });
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
