import { randomUUID } from 'node:crypto';
import jose from 'node-jose';
import type { IssuedToken } from '../issued-token.ts';
import { KeyCache } from './key-cache.ts';
import { openKey, type SigningSecrets } from './key-pair.ts';
import type { Queryable } from './key-table.ts';
import type { PublicJwk, SigningKeys, TokenClaims } from './signing-keys.ts';

/** The maximum age of cached keys. Older keys are read again, because a rotation may have replaced them. */
const freshMs = 10_000;
/** The maximum age of cached keys when a token names an unknown key. */
const freshForUnknownMs = 1000;

export interface SigningKeysOptions extends SigningSecrets {
  /** Connections of the sidecar login, or a connection of the owner. */
  readonly pool: Queryable;
}

/**
 * Opens the signing keys of this database, and makes the first key if the database has none. Rejects when the database
 * does not answer.
 * @throws ProcessError RG_CONFIG (exit 2) when the secrets do not decrypt the current key
 */
export async function openSigningKeys(options: SigningKeysOptions): Promise<SigningKeys> {
  const readings = new KeyCache(options.pool, options);
  let current: jose.JWK.Key | undefined;
  const currentKey = async () => {
    const [stored] = await readings.notOlderThan(freshMs);
    if (!stored) throw new Error('there is no signing key');
    if (current?.kid !== stored.kid) current = await openKey(stored, options);
    return current;
  };
  const publicKeys = async (ageMs: number) =>
    (await readings.notOlderThan(ageMs)).map(({ publicJwk }) => publicJwk);
  const find = async (kid: string, ageMs: number) =>
    (await publicKeys(ageMs)).find((key) => key.kid === kid);
  await currentKey();
  return {
    sign: async (claims, given) => sign(await currentKey(), claims, given),
    publicKeys: () => publicKeys(freshMs),
    publicKey: async (kid): Promise<PublicJwk | undefined> =>
      (await find(kid, freshMs)) ?? (await find(kid, freshForUnknownMs)),
  };
}

async function sign(
  key: jose.JWK.Key,
  claims: TokenClaims,
  { type, lifetimeSeconds }: Parameters<SigningKeys['sign']>[1],
): Promise<IssuedToken> {
  const now = Math.floor(Date.now() / 1000);
  const exp = now + lifetimeSeconds;
  const payload = { ...claims, iat: now, nbf: now, exp, jti: randomUUID() };
  const options = { format: 'compact', alg: 'RS256', fields: { typ: type, kid: key.kid } } as const;
  // The types of the library describe the result as an object, but the compact form is a text.
  const token: unknown = await jose.JWS.createSign(options, key)
    .update(JSON.stringify(payload), 'utf8')
    .final();
  return { token: String(token), expiresAt: new Date(exp * 1000) };
}
