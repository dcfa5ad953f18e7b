import type { ServerResponse } from 'node:http';
import { Type } from 'typebox';
import { type Caller, CallerError, identify, trustedCaller } from '../../../caller/authenticate.ts';
import { shareOf } from '../../../caller/caller-share.ts';
import { disconnectSignal } from '../../../http/connections/disconnect-signal.ts';
import type { DirectRequest } from '../../../http/direct.ts';
import type { PlanNode } from '../../explain/plan-facts.ts';
import { planLines } from '../../explain/plan-lines.ts';
import type { Dialect } from '../../handle-request.ts';
import { isJsonObject, type Json } from '../../json.ts';
import { parseOperation } from '../../request/parse-operation.ts';
import { RequestError } from '../../request-error.ts';

/** The body of a request to explain: an operation, and the session variables of the caller to explain it for. */
export const explainBody = Type.Object(
  {
    query: Type.Object({
      query: Type.String({ description: 'A GraphQL query' }),
      variables: Type.Optional(Type.Union([Type.Object({}), Type.Null()])),
      operationName: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    }),
    user: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'Role and session variables by the names of their headers; absent: admin',
      }),
    ),
  },
  { title: 'ExplainRequest' },
);

export const explainAnswer = Type.Array(
  Type.Object({
    field: Type.String(),
    sql: Type.String(),
    plan: Type.Array(Type.String()),
  }),
);

/**
 * Explains a query for the caller that the body names, in Hasura's form.
 * @returns the answer as JSON
 * @throws CallerError without the admin secret, RequestError for another body or query
 */
export async function explain(
  http: DirectRequest,
  response: ServerResponse,
  body: Json,
  dialect: Dialect,
): Promise<string> {
  const asking = await identify(dialect.authenticators, http, dialect.model);
  refuseOthers(asking);
  const { query, user } = partsOf(body);
  const caller = user === undefined ? asking : trustedCaller(user, dialect.model);
  const engine = await dialect.engineOf(caller);
  const operation = parseOperation(query);
  const text = operation.query;
  if (!engine.explain || typeof text !== 'string')
    throw new RequestError('bad-request', 'the body has no query to explain');
  dialect.logger.info({ actor: asking.identity, role: caller.role.name }, 'explained a query');
  const signal = disconnectSignal(response, () => new Error('the client disconnected'));
  const request = { ...operation, query: text, signal, bytes: undefined, whenSent: undefined };
  const share = shareOf(asking, http);
  const explained = await engine.explain(
    request,
    { caller, address: http.ip, headers: http.headers },
    share,
  );
  return JSON.stringify(
    explained.map(({ field, sql, plan }) => {
      const [root]: readonly { readonly Plan: PlanNode }[] = JSON.parse(plan);
      return { field, sql, plan: root ? planLines(root.Plan) : [] };
    }),
  );
}

function refuseOthers({ identity, role }: Caller): void {
  if (identity === 'admin secret' && role.name === 'admin') return;
  throw new CallerError('access-denied', 'restricted access: admin only');
}

function partsOf(body: Json): {
  readonly query: Json;
  readonly user: Readonly<Record<string, string>> | undefined;
} {
  const { query, user } = isJsonObject(body) ? body : {};
  if (query === undefined) throw new RequestError('parse-failed', 'the key "query" not found', '$');
  if (user === undefined || user === null) return { query, user: undefined };
  const names = isJsonObject(user) ? Object.entries(user) : [];
  const texts = names.flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : []));
  if (!isJsonObject(user) || texts.length < names.length)
    throw new RequestError('parse-failed', 'the key "user" must hold texts', '$.user');
  return { query, user: Object.fromEntries(texts) };
}
