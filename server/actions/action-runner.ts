import type pg from 'pg';
import type pino from 'pino';
import type { Action } from '../../permissions/index.ts';
import { sessionOf } from '../caller/authenticate.ts';
import type { WebhookServices } from '../delivery/resolve-webhook.ts';
import { FairShare } from '../events/worker/fair-share.ts';
import { isJsonObject, type Json, parseJson } from '../graphql/json.ts';
import { type ActionCaller, forwardedHeaders } from './action-caller.ts';
import { ActionError, handlerFailed } from './action-error.ts';
import { callHandler, misfit } from './call-handler.ts';
import { type CustomTypes, coerceOutput, encodeInput, Misfit } from './coerce.ts';
import { findRequest, type RequestStatus, storeRequest } from './request-store.ts';

/** A client's call of an action. */
export interface ActionRequest {
  readonly caller: ActionCaller;
  /** Arguments by name, as the scalars of the schema have parsed them. */
  readonly given: Readonly<Record<string, unknown>>;
  /** The client's document. */
  readonly requestQuery?: string | undefined;
  /** Cancels the call of the handler when the client has hung up. */
  readonly stop?: AbortSignal | undefined;
  /** Called when bytes of the answer arrive. Returns false when the server has no memory for them. */
  readonly onReceived?: ((bytes: number) => boolean) | undefined;
}

/** The state and the outcome of a call of an asynchronous action. */
export interface ActionOutcome {
  readonly id: string;
  readonly status: RequestStatus;
  readonly created_at: string;
  readonly errors: Json;
  readonly output: Json;
}

/** Runs actions. Each method throws ActionError when the caller may not call the action, or the handler fails. */
export interface ActionRunner {
  /** Calls the handler. Returns its answer as a value of the action's type. */
  call(action: Action, request: ActionRequest): Promise<Json>;
  /** Stores the call of an asynchronous action for the workers. Returns its id. */
  enqueue(action: Action, request: ActionRequest): Promise<string>;
  /** Returns the outcome of a stored call to its caller, and null to all other callers. */
  find(action: Action, id: string, caller: ActionCaller): Promise<ActionOutcome | null>;
}

export interface ActionRunnerOptions {
  /** Custom types from the same version of the metadata as the actions. */
  readonly types: CustomTypes;
  readonly webhooks: WebhookServices;
  /** The pool of the sidecar login; undefined: asynchronous actions are not available. */
  readonly pool: pg.Pool | undefined;
  /** Prefix of headers with session variables, e.g. `X-Gql-`. */
  readonly headerPrefix: string;
  readonly logger: pino.Logger;
  /**
   * Maximum number of concurrent synchronous calls; default 200. One action gets at most about half of the free calls.
   */
  readonly maxCalls?: number;
}

/**
 * A lease reserves a stored call for one worker. It lasts this many seconds longer than the timeout of the handler, so
 * that the worker can store the result before another worker takes the call.
 */
const leaseMarginSeconds = 30;

export function makeActionRunner(options: ActionRunnerOptions): ActionRunner {
  const share = new FairShare(options.maxCalls ?? 200);
  return {
    call: (action, request) =>
      hidingErrors(action, options, () =>
        sharing(share, action, () => call(action, request, options)),
      ),
    enqueue: (action, request) =>
      hidingErrors(action, options, () => enqueue(action, request, options)),
    find: (action, id, caller) =>
      hidingErrors(action, options, () => find(action, id, caller, options)),
  };
}

/**
 * Limits concurrent calls, so that a handler that does not answer cannot use up memory and sockets that other actions
 * need.
 */
async function sharing<T>(share: FairShare, { name }: Action, work: () => Promise<T>): Promise<T> {
  if (share.saturated().includes(name)) {
    const message = `too many calls of the action "${name}" are waiting for its handler`;
    throw new ActionError(message, { code: 'unavailable', path: '$', retryAfter: 1 });
  }
  share.take(name);
  try {
    return await work();
  } finally {
    share.give(name);
  }
}

/** Logs errors that are not meant for clients, and throws an internal error instead. */
async function hidingErrors<T>(
  { name }: Action,
  { logger }: ActionRunnerOptions,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ActionError) throw error;
    logger.error({ err: error, action: name }, 'an action failed unexpectedly');
    throw new ActionError('internal error', { code: 'unexpected', path: '$' });
  }
}

async function call(
  action: Action,
  { caller, given, requestQuery, stop, onReceived }: ActionRequest,
  { types, webhooks, headerPrefix, logger }: ActionRunnerOptions,
): Promise<Json> {
  refuseOtherRoles(action, caller);
  const body = {
    action: { name: action.name },
    input: encodeInput(given, action.arguments, types),
    session_variables: sessionOf(caller.role, caller, headerPrefix),
    request_query: requestQuery,
  };
  const headers = forwardedHeaders(action, caller);
  const outcome = await callHandler(
    { action, body, headers, stop, onReceived },
    { webhooks, types },
  );
  switch (outcome.kind) {
    case 'value':
      return outcome.value;
    case 'refused':
      throw outcome.error;
    case 'misfit':
      logFailure(logger, action, outcome.reason);
      throw outcome.error;
    case 'failed':
      logFailure(logger, action, outcome.reason);
      throw handlerFailed(action.name);
  }
}

/** Logs the failure of a handler for the operators of the gateway. */
export function logFailure(logger: pino.Logger, { name }: Action, reason: string): void {
  logger.warn({ action: name, reason }, 'the handler of an action failed');
}

async function enqueue(
  action: Action,
  { caller, given }: ActionRequest,
  options: ActionRunnerOptions,
): Promise<string> {
  refuseOtherRoles(action, caller);
  return storeRequest(poolOf(options), {
    action: action.name,
    role: caller.role,
    sessionVariables: sessionOf(caller.role, caller, options.headerPrefix),
    input: encodeInput(given, action.arguments, options.types),
    clientHeaders: forwardedHeaders(action, caller),
    leaseSeconds: action.retry.timeout + leaseMarginSeconds,
  });
}

async function find(
  action: Action,
  id: string,
  caller: ActionCaller,
  options: ActionRunnerOptions,
): Promise<ActionOutcome | null> {
  refuseOtherRoles(action, caller);
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return null;
  const variables = sessionOf(caller.role, caller, options.headerPrefix);
  const call = { id, action: action.name, sessionVariables: variables };
  const found = await findRequest(poolOf(options), call);
  if (!found) return null;
  const { output, errors } = found;
  return {
    ...found,
    errors: errors === null ? null : parseJson(errors, 'the errors'),
    output: output === null ? null : outputOf(output, action, options),
  };
}

/**
 * Checks a stored output before it is returned, because the type of the action may have changed since the output was
 * stored.
 */
function outputOf(text: string, action: Action, { types }: ActionRunnerOptions): Json {
  try {
    return coerceOutput(parseJson(text, 'the output'), action.outputType, types);
  } catch (cause) {
    if (!(cause instanceof Misfit)) throw cause;
    throw misfit(action.name, cause);
  }
}

/**
 * Refuses a role that may not call the action. The schema of such a role does not contain the action, but this check
 * does not rely on the schema.
 */
function refuseOtherRoles({ name, roles }: Action, { role }: ActionCaller): void {
  if (roles.has(role)) return;
  const message = `the role "${role}" may not call the action "${name}"`;
  throw new ActionError(message, { code: 'access-denied', path: '$' });
}

function poolOf({ pool }: ActionRunnerOptions): pg.Pool {
  if (pool) return pool;
  const message = 'asynchronous actions are not available here';
  throw new ActionError(message, { code: 'not-supported', path: '$' });
}

/** Reads the stored input of a call. */
export function readInput(text: string): { readonly [key: string]: Json } {
  const input = parseJson(text, 'the input');
  return isJsonObject(input) ? input : {};
}
