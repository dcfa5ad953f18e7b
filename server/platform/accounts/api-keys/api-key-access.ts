import { timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import type pg from 'pg';
import type pino from 'pino';
import { Refusal } from '../../../http/answers/problem.ts';
import { orUnavailable } from '../../../http/answers/unavailable.ts';
import type { Access } from '../../../http/endpoint/access.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import type { ApiKeyHolder, ApiKeyScope } from '../user.ts';
import { digestOf, parseApiKey } from './api-key.ts';
import { type FoundApiKey, findApiKey, noteUse } from './find-api-key.ts';

const longest = 200;
/** Compared with where there is no such key, so that time does not tell. */
const nobodys = Buffer.alloc(32);

/** Why a key does not count; for the log alone. */
type KeyReason = 'malformed' | 'unknown' | 'secret' | 'revoked' | 'expired';

/** Reasons of whoever guesses; those of the others know a key that was right once. */
const guesses: readonly (KeyReason | undefined)[] = ['unknown', 'secret'];

export interface ApiKeyServices {
  readonly pool: pg.Pool;
  readonly limits: Pick<RateLimits, 'wrongKeys' | 'malformedKeys'>;
  readonly logger: pino.Logger;
}

/** For endpoints of programs: lets in who holds a key of the scope. Refuses 429 who has guessed too often. */
export function makeApiKeyAccess(
  scope: ApiKeyScope,
  { pool, limits, logger }: ApiKeyServices,
): Access<ApiKeyHolder> {
  return {
    schemes: ['apiKey'],
    admit: async (request) => {
      const key = keyOf(request);
      if (!key) {
        await limits.malformedKeys.count(request);
        throw uselessKey({ reason: 'malformed' }, request, logger);
      }
      const { id, secret } = key;
      limits.wrongKeys.refuseMore(request);
      const found = await orUnavailable(findApiKey(pool, id), logger);
      const reason = whyUseless(found, secret);
      if (guesses.includes(reason)) await limits.wrongKeys.count(request);
      if (!found || reason) throw uselessKey({ reason, keyId: found && id }, request, logger);
      if (found.needsUseUpdate) await orUnavailable(noteUse(pool, id), logger);
      if (!found.holder.scopes.includes(scope)) throw missingScope(scope);
      return found.holder;
    },
  };
}

/** Undefined for what is no key by its form. @throws Refusal 401 where there is none */
function keyOf(request: Request) {
  const [text, another] = request.headersDistinct['x-api-key'] ?? [];
  if (text === undefined) throw missingKey();
  const isOne = another === undefined && text.length <= longest;
  return isOne ? parseApiKey(text) : undefined;
}

function whyUseless(found: FoundApiKey | undefined, secret: string): KeyReason | undefined {
  const isRight = timingSafeEqual(digestOf(secret), found?.digest ?? nobodys);
  if (!found) return 'unknown';
  if (!isRight) return 'secret';
  return found.state === 'valid' ? undefined : found.state;
}

function missingKey(): Refusal {
  const detail = 'the header X-API-Key is missing';
  return new Refusal({ status: 401, code: 'unauthenticated', detail });
}

/** One and the same for every reason, but in the log. */
function uselessKey(
  why: { readonly reason: KeyReason | undefined; readonly keyId?: string | undefined },
  request: Request,
  logger: pino.Logger,
): Refusal {
  logger.info({ ...why, requestId: request.res?.locals.requestId }, 'an API key does not count');
  const detail = 'the API key does not count here';
  return new Refusal({ status: 401, code: 'invalid-token', detail });
}

function missingScope(scope: ApiKeyScope): Refusal {
  const detail = `the API key lacks the scope ${scope}`;
  return new Refusal({ status: 403, code: 'missing-scope', detail });
}
