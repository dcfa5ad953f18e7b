import type { Request } from 'express';
import { Type } from 'typebox';
import { type Authenticator, callerWith } from '../../caller/authenticate.ts';
import { Refusal } from '../../http/answers/problem.ts';
import { defineEndpoint, type Endpoint } from '../../http/endpoint/define-endpoint.ts';
import {
  type AdminScope,
  adminTag,
  recordedUse,
  requestHeaders,
  usualAnswers,
} from '../admin-endpoint.ts';
import { refusalOf } from '../admin-errors.ts';

/** Makes the endpoint that runs queries and subscriptions in any role. */
export function graphqlEndpoint(scope: AdminScope): Endpoint {
  return operationEndpoint(scope, {
    path: '/admin/graphql',
    operationId: 'runAsRole',
    summary: 'run a query, or open a subscription, in the role and with the variables of headers',
  });
}

/** Makes the endpoint that also runs mutations. It has a path of its own, so that the record shows the difference. */
export function graphqlWriteEndpoint(scope: AdminScope): Endpoint {
  return operationEndpoint(scope, {
    path: writePath,
    operationId: 'writeAsRole',
    summary: 'run any operation in the role and with the variables of headers; mutations last',
  });
}

const writePath = '/admin/graphql/write';
const readOnlyReason = `mutations are refused here; send them to ${writePath}`;

const answer = Type.Object({
  data: Type.Optional(Type.Union([Type.Object({}), Type.Null()])),
  errors: Type.Optional(Type.Array(Type.Object({ message: Type.String() }))),
});

/**
 * Records the use, and then answers as POST /v1/graphql answers a caller with the admin secret, with the same limits.
 * A subscription ends with the session.
 */
function operationEndpoint(
  scope: AdminScope,
  described: Pick<Endpoint, 'path' | 'operationId' | 'summary'>,
): Endpoint {
  const { access, readings, graphql } = scope;
  const { path } = described;
  const changes = path === writePath;
  return defineEndpoint({
    ...described,
    ...{ method: 'post', tag: adminTag, access, headers: requestHeaders },
    description: 'Body and answer are those of `/v1/graphql`, with event streams. Needs a session.',
    answers: {
      ...usualAnswers,
      200: {
        description: 'The answer of the operation, or its error',
        content: { 'application/json': answer, 'text/event-stream': Type.String() },
      },
    },
    handle: async ({ who, request }, response) => {
      if (!who.session) throw needsSession();
      const subject = subjectOf(request, scope);
      await recordedUse(subject, { path, changes, who, response, scope }, async () => '');
      // Runs again while a subscription is open.
      const authenticator: Authenticator = async ({ headersDistinct }, current) => {
        const { session } = await access.admit(request);
        await readings.refuseSignedOut(who);
        const expiresAt = session && new Date(session.endsAt);
        return { ...callerWith(headersDistinct, current), ...(expiresAt && { expiresAt }) };
      };
      const reading = changes ? {} : { readOnlyReason };
      await graphql.run(Object.assign(request, { authenticator, ...reading }), response);
    },
  });
}

function needsSession(): Refusal {
  const detail =
    'this is for sessions of the console; send operations with the admin secret to /v1/graphql';
  return new Refusal({ status: 400, code: 'bad-request', detail });
}

/** @throws Refusal 400 for a role or variables that cannot be used */
function subjectOf({ headersDistinct }: Request, { model, logger }: AdminScope) {
  try {
    const { role, session } = callerWith(headersDistinct, model());
    return { role: role.name, variables: [...(session?.keys() ?? [])] };
  } catch (error) {
    throw refusalOf(error, logger);
  }
}
