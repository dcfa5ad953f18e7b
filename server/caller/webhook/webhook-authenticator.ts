import { createHash } from 'node:crypto';
import type pino from 'pino';
import type { Model } from '../../../permissions/index.ts';
import type { AuthWebhookConfig } from '../../config/authentication/auth-webhook-config.ts';
import { errorMessage } from '../../errors.ts';
import {
  type Authenticator,
  type Caller,
  CallerError,
  CallerOutage,
  lookUpClaimedRole,
  variablesOf,
} from '../authenticate.ts';
import type { CallerRequest } from '../caller-request.ts';
import { refuseForeignCookie } from '../cross-site.ts';
import type { JsonObject } from '../jwt/json-object.ts';
import { maxAgeOf } from '../jwt/keys/cache-headers.ts';
import { callAuthWebhook } from './call-auth-webhook.ts';

export interface WebhookServices {
  /** Whether requests without credentials have an anonymous role. */
  readonly allowsAnonymous: boolean;
  /** The origins whose pages may call with a cookie. */
  readonly origins: ReadonlySet<string>;
  readonly logger: pino.Logger;
}

/** Calls a webhook to identify the caller of each request. */
export function webhookAuthenticator(
  config: AuthWebhookConfig,
  { allowsAnonymous, origins, logger }: WebhookServices,
): Authenticator {
  const others = config.credentialHeaders.filter((name) => name !== 'cookie');
  return async (request, model) => {
    const { headersDistinct: headers } = request;
    const isWithout = config.credentialHeaders.every((name) => headers[name] === undefined);
    if (allowsAnonymous && isWithout) return undefined;
    const hasCookieAlone = headers.cookie && others.every((name) => headers[name] === undefined);
    if (hasCookieAlone) refuseForeignCookie(request, origins);
    const caller = await identifyByWebhook(request, model, config).catch((error: unknown) => {
      if (error instanceof CallerError) throw error;
      const { requestId } = request;
      logger.error({ reason: reasonOf(error), requestId }, 'the authentication webhook failed');
      throw new CallerOutage('callers cannot be identified at the moment');
    });
    return caller;
  };
}

async function identifyByWebhook(
  request: CallerRequest,
  model: Model,
  config: AuthWebhookConfig,
): Promise<Caller> {
  const answer = await callAuthWebhook(request, config);
  if (answer === 'refused') {
    throw new CallerError('access-denied', 'Authentication hook unauthorized this request');
  }
  const { claims, prefix } = claimsIn(answer, config.prefixes);
  const role = claims.get(`${prefix}role`);
  if (role === undefined) throw new Error(`the answer of the webhook lacks ${prefix}role`);
  const expiresAt = expiryOf(answer);
  return {
    role: lookUpClaimedRole(role, model),
    identity: identityOf(claims),
    ...variablesOf(claims, prefix, model),
    isBackend: false,
    ...(expiresAt && { expiresAt }),
  };
}

/** Reads the claims with the prefix, by name in lower case. Throws for values that are not text. */
function claimsIn(answer: JsonObject, prefixes: readonly string[]) {
  const names = Object.keys(answer).map((name) => name.toLowerCase());
  const prefix = prefixes.find((one) => names.includes(`${one}role`)) ?? prefixes[0] ?? '';
  const claims = new Map<string, string>();
  for (const [key, value] of Object.entries(answer)) {
    const name = key.toLowerCase();
    if (!name.startsWith(prefix)) continue;
    if (typeof value !== 'string') throw new Error(`the webhook answers ${name} without a string`);
    if (claims.has(name)) throw new Error(`the webhook answers ${name} twice`);
    claims.set(name, value);
  }
  return { claims, prefix };
}

/** Returns when the identity expires: by `Cache-Control` in the answer, or else by `Expires`. */
function expiryOf(answer: JsonObject): Date | undefined {
  const control = textAt(answer, 'cache-control');
  const seconds = control === undefined ? undefined : maxAgeOf(control);
  if (seconds !== undefined) return new Date(Date.now() + seconds * 1000);
  const expires = textAt(answer, 'expires');
  if (expires === undefined) return undefined;
  const time = new Date(expires);
  if (!Number.isNaN(time.getTime())) return time;
  throw new Error('the webhook answers with a value for Expires that is not a date');
}

function textAt(answer: JsonObject, key: string): string | undefined {
  const value = Object.entries(answer).find(([name]) => name.toLowerCase() === key)?.[1];
  if (value === undefined || typeof value === 'string') return value;
  throw new Error(`the webhook answers ${key} without a string`);
}

/** Distinguishes callers by their session variables, because the webhook names no subject. */
function identityOf(claims: ReadonlyMap<string, string>): string {
  const text = JSON.stringify([...claims].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return `webhook ${createHash('sha256').update(text).digest('base64')}`;
}

/** Returns the message of the cause, because an error of `fetch` has its reason only in the cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return errorMessage(cause);
}
