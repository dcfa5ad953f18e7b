import { timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import type pg from 'pg';
import type { Access } from '../../rest/access.ts';
import { Refusal } from '../../rest/problem.ts';
import type { ApiKeyHolder, ApiKeyScope } from '../../user.ts';
import { digestOf, parseApiKey } from './api-key.ts';
import { type FoundApiKey, findApiKey, noteUse } from './find-api-key.ts';

const longest = 200;
/** Compared with where there is no such key, so that time does not tell. */
const nobodys = Buffer.alloc(32);

/** For endpoints of programs: lets in who holds a key of the scope. */
export function makeApiKeyAccess(pool: pg.Pool, scope: ApiKeyScope): Access<ApiKeyHolder> {
  return {
    schemes: ['apiKey'],
    admit: async (request) => {
      const key = await keyOf(request, pool);
      if (key.isUnnoted) await noteUse(pool, key.holder.keyId);
      if (!key.holder.scopes.includes(scope)) throw missingScope(scope);
      return key.holder;
    },
  };
}

async function keyOf({ headersDistinct }: Request, pool: pg.Pool): Promise<FoundApiKey> {
  const [text, another] = headersDistinct['x-api-key'] ?? [];
  if (text === undefined) throw missingKey();
  if (another !== undefined || text.length > longest) throw uselessKey();
  const given = parseApiKey(text);
  if (!given) throw uselessKey();
  const found = await findApiKey(pool, given.id);
  const isRight = timingSafeEqual(digestOf(given.secret), found?.digest ?? nobodys);
  if (!found || !isRight || !found.isValid) throw uselessKey();
  return found;
}

function missingKey(): Refusal {
  const detail = 'the header X-API-Key is missing';
  return new Refusal({ status: 401, code: 'unauthenticated', detail });
}

/** One and the same for every reason. */
function uselessKey(): Refusal {
  const detail = 'the API key does not count here';
  return new Refusal({ status: 401, code: 'invalid-token', detail });
}

function missingScope(scope: ApiKeyScope): Refusal {
  const detail = `the API key lacks the scope ${scope}`;
  return new Refusal({ status: 403, code: 'missing-scope', detail });
}
