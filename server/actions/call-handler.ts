import type { Action } from '../../permissions/index.ts';
import { maskSecrets } from '../delivery/call-webhook.ts';
import { type Answer, deliver } from '../delivery/deliver.ts';
import { resolveWebhook, type WebhookServices } from '../delivery/resolve-webhook.ts';
import { errorMessage } from '../errors.ts';
import { isJsonObject, type Json, parseJson } from '../graphql/json.ts';
import { ActionError } from './action-error.ts';
import { type CustomTypes, coerceOutput, Misfit } from './coerce.ts';

/** Maximum bytes of a handler's answer. */
export const maxAnswerBytes = 4 * 1024 * 1024;
/** Maximum characters of a handler's message to clients. */
const maxMessage = 4096;

/** Maximum characters of a handler's answer in the log. */
const maxLogged = 200;

/** One call of a handler. */
export interface HandlerCall {
  readonly action: Action;
  /** The request body, sent as JSON. */
  readonly body: { readonly [key: string]: Json | undefined };
  /** Forwarded headers of the client. */
  readonly headers: Readonly<Record<string, string>>;
  /** Cancels the call. */
  readonly stop?: AbortSignal | undefined;
  /** Called when bytes of the answer arrive. Returns false when the server has no memory for them. */
  readonly onReceived?: ((bytes: number) => boolean) | undefined;
}

export interface HandlerServices {
  readonly webhooks: WebhookServices;
  readonly types: CustomTypes;
}

/** The outcome of a call. */
export type HandlerOutcome =
  | { readonly kind: 'value'; readonly value: Json }
  /** The handler refused the request. Another try would have the same result. */
  | { readonly kind: 'refused'; readonly error: ActionError }
  /** The answer does not fit the type of the action. */
  | { readonly kind: 'misfit'; readonly error: ActionError; readonly reason: string }
  /** The handler gave no usable answer. Only the log contains the reason. */
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly retryAfterMs: number | undefined;
    };

/**
 * Sends a call to the webhook that handles an action, signed like the delivery of an event, and reads the answer. Never
 * throws.
 */
export async function callHandler(
  { action, body, headers: forwarded, stop, onReceived }: HandlerCall,
  { webhooks, types }: HandlerServices,
): Promise<HandlerOutcome> {
  try {
    const { handler: webhook, headers: own } = action;
    const { url, headers, secrets } = resolveWebhook({ webhook, headers: own }, webhooks);
    const answer = await deliver({
      url,
      // Headers of actions.yaml take precedence, so that a client cannot replace them by forwarded headers.
      headers: { ...forwarded, ...headers },
      body: JSON.stringify(body),
      timeoutMs: action.retry.timeout * 1000,
      signal: stop,
      onReceived,
      maxAnswerBytes,
      isSentOnce: action.type === 'mutation',
    });
    return outcomeOf(answer, action, types, (text) => maskSecrets(secrets, text));
  } catch (error) {
    return { kind: 'failed', reason: errorMessage(error), retryAfterMs: undefined };
  }
}

function outcomeOf(
  { status = 0, body, error, retryAfterMs, excerpt }: Answer,
  action: Action,
  types: CustomTypes,
  mask: (text: string) => string,
): HandlerOutcome {
  const failed = (reason: string) => ({ kind: 'failed', reason, retryAfterMs }) as const;
  const beginning = () => mask(excerpt).slice(0, maxLogged).toWellFormed();
  if (error !== undefined || body === undefined) return failed(error ?? 'it did not answer');
  const isValue = status >= 200 && status < 300;
  const isRefusal = status >= 400 && status < 500;
  if (!isValue && !isRefusal) return failed(`it answered ${status}: ${beginning()}`);
  const read = readJson(body);
  if (isRefusal) {
    const refusal = read && refusalOf(read.json, mask);
    return refusal
      ? { kind: 'refused', error: refusal }
      : failed(`it answered ${status} without a message: ${beginning()}`);
  }
  if (!read) return failed(`its answer is no JSON: ${beginning()}`);
  try {
    return { kind: 'value', value: coerceOutput(read.json, action.outputType, types) };
  } catch (cause) {
    if (!(cause instanceof Misfit)) throw cause;
    return { kind: 'misfit', error: misfit(action.name, cause), reason: cause.message };
  }
}

/** Makes the error for an answer that does not fit the type of the action. */
export function misfit(action: string, { message, path }: Misfit): ActionError {
  const text = `the handler of the action "${action}" answered what it must not: ${message}`;
  return new ActionError(text, { code: 'unexpected', path });
}

function readJson(text: string): { readonly json: Json } | undefined {
  try {
    return { json: parseJson(text, 'the answer') };
  } catch {
    return undefined;
  }
}

/** Reads `{ message, extensions?, code? }`, the error format of Hasura's action handlers. */
function refusalOf(json: Json, mask: (text: string) => string): ActionError | undefined {
  if (!isJsonObject(json) || typeof json.message !== 'string') return undefined;
  const { extensions, code } = json;
  const message = mask(json.message).slice(0, maxMessage).toWellFormed();
  if (isJsonObject(extensions)) return new ActionError(message, masked(extensions, mask));
  return new ActionError(message, {
    code: typeof code === 'string' ? mask(code) : 'unexpected',
    path: '$',
  });
}

type JsonObject = { readonly [key: string]: Json };

function masked(object: JsonObject, mask: (text: string) => string): JsonObject {
  const one = (value: Json): Json => {
    if (typeof value === 'string') return mask(value);
    if (Array.isArray(value)) return value.map(one);
    return isJsonObject(value) ? masked(value, mask) : value;
  };
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [mask(key), one(value)] as const),
  );
}
