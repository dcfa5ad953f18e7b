import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import type pino from 'pino';
import type { Static, TSchema } from 'typebox';
import type { Model, RoleModel } from '../../permissions/index.ts';
import type { Config } from '../config/config.ts';
import type { Registry } from '../graphql/schema/registry/read-registry.ts';
import { disconnectSignal } from '../http/connections/disconnect-signal.ts';
import type { DirectHandler } from '../http/direct.ts';
import type { Access } from '../http/endpoint/access.ts';
import type { ApiOperation } from '../http/endpoint/api-operation.ts';
import type { ApiTag } from '../http/endpoint/api-tag.ts';
import { defineEndpoint, type Endpoint } from '../http/endpoint/define-endpoint.ts';
import { requestIdOf } from '../http/request-id.ts';
import { type AdminCaller, actorHeader } from './admin-access.ts';
import {
  clientDisconnected,
  notRecorded,
  readOnly,
  refusalOf,
  signedOut,
  unknownSession,
} from './admin-errors.ts';
import type { OwnerReadings } from './owner-readings.ts';
import type { OwnerSession, OwnerSessions } from './owner-sessions.ts';
import type { FindPeople } from './people.ts';
import { type AdminUse, recordStatus, recordUse } from './record-use.ts';

/** The environment of the endpoints for admins. */
export interface AdminScope {
  readonly access: Access<AdminCaller>;
  /** Returns the URL of the login that applies rules. @throws ProcessError RG_CONFIG when there is none */
  readonly ownerUrl: () => string;
  readonly connections: OwnerSessions;
  readonly readings: OwnerReadings;
  /** Returns the rules that are served now. */
  readonly model: () => Model;
  /** Returns the column types that are served now. */
  readonly registry: () => Registry;
  readonly graphql: AdminGraphql;
  /** Finds people whom an application registers. Absent: no application does. */
  readonly findPeople?: FindPeople | undefined;
  readonly config: Config;
  readonly logger: pino.Logger;
}

/** The GraphQL API that the server serves. */
export interface AdminGraphql {
  /** Answers operations as POST /v1/graphql does. */
  readonly run: DirectHandler;
  /** Returns the schema of a role, as the answer to introspection in JSON. */
  describe(role: RoleModel): Promise<string>;
}

/** The parts of the record that the body of a request gives. */
type Subject = Pick<AdminUse, 'role' | 'table' | 'subject' | 'operation' | 'columns' | 'variables'>;

interface AdminEndpoint<Body extends TSchema>
  extends Pick<ApiOperation, 'path' | 'operationId' | 'summary' | 'description'> {
  readonly body: Body;
  readonly answer: TSchema;
  /** Further answers by status. */
  readonly answers?: ApiOperation['answers'];
  /** Whether a use changes something that lasts. It is refused unless ROWGATE_CONSOLE_WRITES is on. */
  readonly changes?: boolean;
  /** Returns the names in the body, for the record. */
  subject(body: Static<Body>): Subject;
  /** Returns the answer as JSON. */
  work(body: Static<Body>, session: OwnerSession, who: AdminCaller): Promise<string>;
  /** Sets further headers of the answer, such as a cookie. */
  readonly setHeaders?: (response: Response, who: AdminCaller) => void;
}

export const adminTag: ApiTag = {
  name: 'admin',
  description: 'Explanations of rules, for holders of the admin secret. Each use is recorded',
};

/** The header that requests with the admin secret need. */
export const requestHeaders = {
  [actorHeader]:
    'The person or program that uses the admin secret, which is recorded; required with the secret',
};

/** The answers of all endpoints for admins, apart from the one that succeeds. */
export const usualAnswers: ApiOperation['answers'] = {
  403: {
    description:
      'The request names another role than admin in its headers, or the server allows no lasting changes',
  },
  429: {
    description: 'Too many wrong admin secrets from this address',
    headers: { 'Retry-After': 'Seconds after which another try is allowed' },
  },
  501: { description: 'The server has no `DATABASE_URL`, whose login explains rules' },
  503: {
    description:
      'Nothing was answered, because the database does not answer, a time limit was reached, another session keeps a lock, or too many requests of admins wait',
    headers: { 'Retry-After': 'Seconds after which another try may succeed' },
  },
};

/**
 * Makes an endpoint for admins. Each use is recorded before its work begins: a use that cannot be recorded is refused.
 */
export function adminEndpoint<Body extends TSchema>(
  {
    answer,
    answers,
    changes = false,
    subject,
    work,
    setHeaders,
    ...described
  }: AdminEndpoint<Body>,
  scope: AdminScope,
): Endpoint {
  return defineEndpoint({
    ...described,
    method: 'post',
    tag: adminTag,
    access: scope.access,
    headers: requestHeaders,
    answers: {
      ...usualAnswers,
      ...answers,
      200: {
        description: 'The answer, from the rules that the server serves',
        content: { 'application/json': answer },
        headers: { 'Cache-Control': '`no-store`' },
      },
      403: {
        description: `The request names another role than admin in its headers${changes ? ', or the server allows no lasting changes' : ''}`,
      },
    },
    handle: async ({ who, body, request }, response) => {
      const recording = { path: described.path, changes, who, response, scope };
      const found = await recordedUse(subject(body), recording, (session) =>
        work(body, session, who),
      );
      if (changes) scope.readings.forgetAnswers();
      setHeaders?.(response, who);
      response.set('Cache-Control', 'no-store').type('json');
      await sendPacked(found, request, response);
    },
  });
}

interface Recording {
  readonly path: string;
  readonly changes: boolean;
  readonly who: AdminCaller;
  readonly response: Response;
  readonly scope: AdminScope;
}

/** Records a use, and refuses it or runs its work. @throws Refusal */
export function recordedUse(
  subject: Subject,
  { path, changes, who, response, scope }: Recording,
  work: (session: OwnerSession) => Promise<string>,
): Promise<string> {
  const use = {
    ...{ ...subject, actor: who.actor, person: who.person?.id, endpoint: path },
    requestId: requestIdOf(response),
  };
  return recorded(use, scope, response, async (session) => {
    await refuseSignedOut(who, session, scope);
    if (changes && !scope.config.consoleWrites) throw readOnly();
    return work(session);
  });
}

/** @throws Refusal 401 for a session that was ended, 503 when the database does not say so */
async function refuseSignedOut(
  { session }: AdminCaller,
  { client }: OwnerSession,
  { logger }: AdminScope,
): Promise<void> {
  const isSignedOut = await session?.isSignedOut(client).catch((error: unknown) => {
    throw unknownSession(error, logger);
  });
  if (isSignedOut) throw signedOut();
}

const pack = promisify(gzip);
/** Compressing a shorter answer saves less time than it takes. */
const packedFrom = 65_536;

/** Sends an answer. Compresses a long one, because the words of a large matrix repeat. */
export async function sendPacked(
  text: string,
  request: Request,
  response: Response,
): Promise<void> {
  response.vary('Accept-Encoding');
  if (text.length < packedFrom || request.acceptsEncodings('gzip') === false) {
    response.send(text);
    return;
  }
  response.set('Content-Encoding', 'gzip').send(await pack(text, { level: 1 }));
}

/** Runs the work of a use, and records the use with the status of its answer. @throws Refusal */
async function recorded(
  use: AdminUse,
  { connections, logger }: AdminScope,
  response: Response,
  work: (session: OwnerSession) => Promise<string>,
): Promise<string> {
  const disconnected = disconnectSignal(response, clientDisconnected);
  // A subject can be the id of a person, so only the database has it.
  const { subject: _, ...logged } = use;
  const log = (status: number) => logger.info({ ...logged, status }, 'an admin used an endpoint');
  try {
    const found = await connections.use(disconnected, async (session) => {
      const id = await recordUse(session.client, use).catch((error: unknown) => {
        throw notRecorded(error, logger);
      });
      try {
        const answer = await work(session);
        await recordStatus(session.client, id, 200);
        return answer;
      } catch (error) {
        session.signal.throwIfAborted();
        const refusal = refusalOf(error, logger);
        await recordStatus(session.client, id, refusal.problem.status);
        throw refusal;
      }
    });
    log(200);
    return found;
  } catch (error) {
    const refusal = refusalOf(error, logger);
    log(refusal.problem.status);
    throw refusal;
  }
}
