import { randomUUID } from 'node:crypto';
import jose from 'node-jose';
import type { IssuedToken } from '../issued-token.ts';
import { KeyReadings } from './key-cache.ts';
import { openKey, type SigningSecrets } from './key-pair.ts';
import type { Queryable } from './key-table.ts';
import type { PublicJwk, SigningKeys, TokenClaims } from './signing-keys.ts';

/** Keys that were read longer ago are read again when they are wanted: somebody may have rotated them. */
const freshMs = 10_000;
/** The same for the sake of a key that only a token names. */
const freshForUnknownMs = 1000;

export interface SigningKeysOptions extends SigningSecrets {
  /** The sidecar's pool, or the owner's connection. */
  readonly pool: Queryable;
}

/**
 * The keys of this database; the first to ask makes one. Rejects where the database does not answer.
 * @throws ProcessError RG_CONFIG (exit 2) where the secrets do not open the current one
 */
export async function openSigningKeys(options: SigningKeysOptions): Promise<SigningKeys> {
  const readings = new KeyReadings(options.pool, options);
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
  // The types know only the other forms, which are objects.
  const token: unknown = await jose.JWS.createSign(options, key)
    .update(JSON.stringify(payload), 'utf8')
    .final();
  return { token: String(token), expiresAt: new Date(exp * 1000) };
}
