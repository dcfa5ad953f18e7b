import { timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import type pg from 'pg';
import type pino from 'pino';
import { Refusal } from '../../../http/answers/problem.ts';
import { orUnavailable } from '../../../http/answers/unavailable.ts';
import type { Access } from '../../../http/endpoint/access.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import { apiKeyScheme } from '../security-schemes.ts';
import type { ApiKeyCaller, ApiKeyScope } from '../user.ts';
import { digestOf, parseApiKey } from './api-key.ts';
import { type FoundApiKey, findApiKey, noteUse } from './find-api-key.ts';

const maxLength = 200;
/**
 * A digest that belongs to no secret. When a key does not exist, the secret is compared with this digest, so that the
 * time of the answer does not reveal whether the key exists.
 */
const dummyDigest = Buffer.alloc(32);

/** The reason why a key is refused. Only the log has it. */
type KeyReason = 'malformed' | 'unknown' | 'secret' | 'revoked' | 'expired';

/**
 * The reasons that suggest guessing, which count against the limit on wrong keys. The sender of a revoked or expired
 * key has its secret, so that is not a guess.
 */
const guesses: readonly (KeyReason | undefined)[] = ['unknown', 'secret'];

export interface ApiKeyServices {
  readonly pool: pg.Pool;
  readonly limits: Pick<RateLimits, 'wrongKeys' | 'malformedKeys'>;
  readonly logger: pino.Logger;
}

/** Makes the access check for endpoints that need an API key with a scope. It refuses too many wrong keys with 429. */
export function makeApiKeyAccess(
  scope: ApiKeyScope,
  { pool, limits, logger }: ApiKeyServices,
): Access<ApiKeyCaller> {
  return {
    schemes: [apiKeyScheme],
    admit: async (request) => {
      const key = keyOf(request);
      if (!key) {
        await limits.malformedKeys.count(request);
        throw invalidKey({ reason: 'malformed' }, request, logger);
      }
      const { id, secret } = key;
      limits.wrongKeys.refuseBlocked(request);
      const found = await orUnavailable(findApiKey(pool, id), logger);
      const reason = reasonToRefuse(found, secret);
      if (guesses.includes(reason)) await limits.wrongKeys.count(request);
      if (!found || reason) throw invalidKey({ reason, keyId: found && id }, request, logger);
      if (found.needsUseUpdate) await orUnavailable(noteUse(pool, id), logger);
      if (!found.caller.scopes.includes(scope)) throw missingScope(scope);
      return found.caller;
    },
  };
}

/**
 * Reads the key of a request; undefined for a malformed key.
 * @throws Refusal 401 without a key
 */
function keyOf(request: Request) {
  const [text, another] = request.headersDistinct['x-api-key'] ?? [];
  if (text === undefined) throw missingKey();
  const isOne = another === undefined && text.length <= maxLength;
  return isOne ? parseApiKey(text) : undefined;
}

function reasonToRefuse(found: FoundApiKey | undefined, secret: string): KeyReason | undefined {
  const isRight = timingSafeEqual(digestOf(secret), found?.digest ?? dummyDigest);
  if (!found) return 'unknown';
  if (!isRight) return 'secret';
  return found.state === 'valid' ? undefined : found.state;
}

function missingKey(): Refusal {
  const detail = 'the header X-API-Key is missing';
  return new Refusal({ status: 401, code: 'unauthenticated', detail });
}

/**
 * Makes the refusal. The refusal is the same for every reason, so that it reveals nothing to the sender; the log
 * contains the reason.
 */
function invalidKey(
  refused: { readonly reason: KeyReason | undefined; readonly keyId?: string | undefined },
  request: Request,
  logger: pino.Logger,
): Refusal {
  logger.info({ ...refused, requestId: request.requestId }, 'an API key was refused');
  const detail = 'the API key is not valid';
  return new Refusal({ status: 401, code: 'invalid-token', detail });
}

function missingScope(scope: ApiKeyScope): Refusal {
  const detail = `the API key lacks the scope ${scope}`;
  return new Refusal({ status: 403, code: 'missing-scope', detail });
}
