import type pg from 'pg';
import type pino from 'pino';
import type { Action } from '../../permissions/index.ts';
import type { WebhookServices } from '../delivery/resolve-webhook.ts';
import { FairShare } from '../events/worker/fair-share.ts';
import { isJsonObject, type Json, parseJson } from '../graphql/json.ts';
import { type ActionCaller, forwardedHeaders, sessionVariables } from './action-caller.ts';
import { ActionError, handlerFailed } from './action-error.ts';
import { callHandler, misfit } from './call-handler.ts';
import { type CustomTypes, coerceOutput, encodeInput, Misfit } from './coerce.ts';
import { findRequest, type RequestStatus, storeRequest } from './request-store.ts';

/** A root field of an action that a client selects. */
export interface ActionRequest {
  readonly caller: ActionCaller;
  /** The arguments by name, as the schema's scalars read them. */
  readonly given: Readonly<Record<string, unknown>>;
  /** The document of the client. */
  readonly requestQuery?: string | undefined;
  /** Ends the call when the client has gone. */
  readonly stop?: AbortSignal | undefined;
  /** Called as bytes of the answer arrive; false where there is no memory for them. */
  readonly onReceived?: ((bytes: number) => boolean) | undefined;
}

/** The outcome of a call of an asynchronous action. */
export interface ActionOutcome {
  readonly id: string;
  readonly status: RequestStatus;
  readonly created_at: string;
  readonly errors: Json;
  readonly output: Json;
}

/** Calls handlers for callers. Each method throws ActionError where the caller may not, or the handler fails. */
export interface ActionRunner {
  /** The handler's answer, as a value of the action's type. */
  call(action: Action, request: ActionRequest): Promise<Json>;
  /** Keeps the call of an asynchronous action for the workers; its id. */
  enqueue(action: Action, request: ActionRequest): Promise<string>;
  /** The outcome for the one who asked; null for all others. */
  find(action: Action, id: string, caller: ActionCaller): Promise<ActionOutcome | null>;
}

export interface ActionRunnerOptions {
  /** The types of the same rules as the actions. */
  readonly types: CustomTypes;
  readonly webhooks: WebhookServices;
  /** The pool of the sidecar's login; absent: asynchronous actions are not available. */
  readonly pool: pg.Pool | undefined;
  /** e.g. `X-Gql-`. */
  readonly headerPrefix: string;
  readonly logger: pino.Logger;
  /** Synchronous calls at once; no action has more than about half of what others leave. Default 200. */
  readonly maxCalls?: number;
}

/** Beyond the timeout of a handler, for what a worker does besides. */
const leaseMarginSeconds = 30;

export function makeActionRunner(options: ActionRunnerOptions): ActionRunner {
  const share = new FairShare(options.maxCalls ?? 200);
  return {
    call: (action, request) =>
      guarded(action, options, () => sharing(share, action, () => call(action, request, options))),
    enqueue: (action, request) => guarded(action, options, () => enqueue(action, request, options)),
    find: (action, id, caller) => guarded(action, options, () => find(action, id, caller, options)),
  };
}

/** A handler that hangs takes neither all memory nor all sockets, nor those of other actions. */
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

/** Errors that are not meant for clients go to the log. */
async function guarded<T>(
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
  refuseOthers(action, caller);
  const body = {
    action: { name: action.name },
    input: encodeInput(given, action.arguments, types),
    session_variables: sessionVariables(caller, headerPrefix),
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

/** Reports a handler that did not do its part to the operators of the gateway. */
export function logFailure(logger: pino.Logger, { name }: Action, reason: string): void {
  logger.warn({ action: name, reason }, 'the handler of an action failed');
}

async function enqueue(
  action: Action,
  { caller, given }: ActionRequest,
  options: ActionRunnerOptions,
): Promise<string> {
  refuseOthers(action, caller);
  return storeRequest(poolOf(options), {
    action: action.name,
    role: caller.role,
    sessionVariables: sessionVariables(caller, options.headerPrefix),
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
  refuseOthers(action, caller);
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return null;
  const variables = sessionVariables(caller, options.headerPrefix);
  const asked = { id, action: action.name, sessionVariables: variables };
  const found = await findRequest(poolOf(options), asked);
  if (!found) return null;
  const { output, errors } = found;
  return {
    ...found,
    errors: errors === null ? null : parseJson(errors, 'the errors'),
    output: output === null ? null : outputOf(output, action, options),
  };
}

/** The type of the action may have changed since its handler answered. */
function outputOf(text: string, action: Action, { types }: ActionRunnerOptions): Json {
  try {
    return coerceOutput(parseJson(text, 'the output'), action.outputType, types);
  } catch (cause) {
    if (!(cause instanceof Misfit)) throw cause;
    throw misfit(action.name, cause);
  }
}

/** Schemas of other roles do not have the action; this holds where one has it by mistake. */
function refuseOthers({ name, roles }: Action, { role }: ActionCaller): void {
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
