import type { Logger } from 'pino';
import type { Model } from '../../permissions/index.ts';
import { type Authenticator, type Caller, identify } from '../caller/authenticate.ts';
import type { CallerRequest } from '../caller/caller-request.ts';
import { shareOf } from '../caller/caller-share.ts';
import type { RateStore } from '../caller/rate-store.ts';
import type { Share } from '../db/requests/fairness/fair-shares.ts';
import type { AnswerText } from './answer-text.ts';
import { toClientError } from './errors/to-client-error.ts';
import type { Json } from './json.ts';
import { findDocument, type KnownDocuments } from './known-documents/find-document.ts';
import { countOperation } from './limits/rate.ts';
import type { Measurement, OperationMetrics } from './metrics/operation-metrics.ts';
import { type Delivery, type RunnableOperation, refuseWrites } from './request/operation.ts';
import { parseOperation } from './request/parse-operation.ts';
import type { RequestCaller } from './request/request-caller.ts';
import type { RoleEngine } from './request/role-engine.ts';
import type { Turns } from './request/turns.ts';
import { errorBody, type RequestError } from './request-error.ts';

/** A request from any transport: one operation or a batch over HTTP, or one message of a WebSocket. */
export interface IncomingRequest {
  /**
   * The HTTP request. For a message of a WebSocket, this is the upgrade request with the headers that the client has
   * sent later.
   */
  readonly http: CallerRequest;
  /** Why only queries may run, and subscriptions where the transport has them; undefined: all operations may run. */
  readonly readOnlyReason: string | undefined;
  /**
   * Called when the caller is known, before the body is read.
   * @throws CallerError when the transport refuses this caller, e.g. because another caller uses the same socket
   */
  onIdentified(caller: Caller): void;
  /** @throws RequestError when the request contains nothing to run */
  read(): ReceivedOperations;
}

/** The operations of a request as unchecked JSON. */
export interface ReceivedOperations extends Delivery {
  readonly operations: readonly Json[];
}

/** One version of the model, served in one dialect of GraphQL. */
export interface Dialect {
  readonly model: Model;
  /** The ways to identify a caller, in the order in which they are tried. */
  readonly authenticators: readonly Authenticator[];
  readonly documents: KnownDocuments;
  readonly rates: RateStore;
  /** Divides the time of the event loop among the callers of all dialects. */
  readonly turns: Turns;
  readonly metrics: OperationMetrics;
  readonly logger: Logger;
  /** Returns the engine that runs operations of the caller's role. */
  engineOf(caller: Caller): RoleEngine | Promise<RoleEngine>;
}

/** The JSON text of a response, and its error if it has one. */
export interface Answer {
  readonly text: AnswerText;
  readonly error: RequestError | undefined;
}

/**
 * Handles a GraphQL request of any transport and dialect; each operation gets an answer.
 * @throws CallerError, Refusal and RequestError when the request fails as a whole, before its first operation
 */
export async function handleRequest(
  incoming: IncomingRequest,
  dialect: Dialect,
): Promise<readonly Answer[]> {
  const { requestCaller, received } = await readRequest(incoming, dialect);
  const answers: Answer[] = [];
  // Operations run one after the other: a later operation of a batch may read the changes of an earlier one.
  for (const given of received.operations) {
    received.signal.throwIfAborted();
    const measurement = dialect.metrics.begin(requestCaller.caller.role.name);
    try {
      const found = await findOperation(given, { requestCaller, received, measurement }, dialect);
      const text = await runInTurn(found, dialect, () => runOnce(incoming, found));
      measurement.end();
      answers.push({ text, error: undefined });
    } catch (cause) {
      answers.push(failedAnswer(cause, dialect, measurement));
    }
  }
  // Answer: the transport sends the texts.
  return answers;
}

/** A request whose caller is known. */
export interface ReadRequest {
  readonly requestCaller: RequestCaller;
  readonly received: ReceivedOperations;
}

/** Identifies the caller and reads the request. @throws CallerError, Refusal and RequestError */
export async function readRequest(
  incoming: IncomingRequest,
  dialect: Dialect,
): Promise<ReadRequest> {
  const { http } = incoming;
  // Identify: the first authenticator that recognizes the request determines the role and the session variables.
  const caller = await identify(dialect.authenticators, http, dialect.model).catch(
    (error: unknown) => {
      dialect.metrics.refused(error);
      throw error;
    },
  );
  incoming.onIdentified(caller);
  const requestCaller = { caller, address: http.ip, headers: http.headers };
  // Read.
  return { requestCaller, received: incoming.read() };
}

/** A request of which one operation is measured. */
interface MeasuredRequest extends ReadRequest {
  readonly measurement: Measurement;
}

/** An operation with its document, and the engine that runs it. */
export interface FoundOperation {
  readonly engine: RoleEngine;
  readonly request: RunnableOperation;
  readonly requestCaller: RequestCaller;
  readonly share: Share;
}

/** Finds the document of an operation, and the engine of its caller. @throws RequestError */
export async function findOperation(
  given: Json,
  { requestCaller, received, measurement }: MeasuredRequest,
  dialect: Dialect,
): Promise<FoundOperation> {
  const { caller, address: ip } = requestCaller;
  const operation = parseOperation(given);
  const made = dialect.engineOf(caller);
  const engine = made instanceof Promise ? await made : made;
  // Authorize: the rate limit of the role counts attempts, so it applies before the answer reveals whether the document
  // is known.
  const limit = caller.role.limits?.rate;
  if (limit) await countOperation(requestCaller, limit, dialect);
  // Find: the query comes from the request, from the allow-list, or from the persisted queries.
  const query = findDocument(operation, requestCaller, engine, dialect.documents);
  const { operationName, variables } = operation;
  const { signal, bytes, whenSent } = received;
  const request = { query, operationName, variables, signal, bytes, whenSent, measurement };
  return { engine, request, requestCaller, share: shareOf(caller, { ip }) };
}

/** Runs work in the caller's turn: the engine checks the document, compiles it and queries Postgres. */
export function runInTurn<T>(
  { share, request }: FoundOperation,
  dialect: Dialect,
  work: () => Promise<T>,
): Promise<T> {
  return dialect.turns.run(share, work, request.signal);
}

/** Runs an operation that has one answer. */
export function runOnce(
  { readOnlyReason }: IncomingRequest,
  found: FoundOperation,
): Promise<AnswerText> {
  const { engine, request, requestCaller, share } = found;
  if (readOnlyReason !== undefined) refuseWrites(engine.check(request), readOnlyReason);
  return engine.run(request, requestCaller, share);
}

/** Makes the answer of an operation that has failed. */
export function failedAnswer(
  cause: unknown,
  { logger }: Dialect,
  measurement: Measurement,
): Answer {
  const error = toClientError(cause, logger);
  measurement.end(error.code);
  return { text: errorBody(error), error };
}
