import type { IssuedToken } from '../issued-token.ts';

/** An RSA key as others may see it (RFC 7517). */
export interface PublicJwk {
  readonly kty: 'RSA';
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: 'RS256';
  readonly n: string;
  readonly e: string;
}

/** What a token says, beside its times and its id. */
export interface TokenClaims {
  readonly iss: string;
  readonly sub: string;
  readonly aud: string;
  readonly [claim: string]: string | boolean;
}

/** The platform's own keys. Their rotation is noticed within seconds. */
export interface SigningKeys {
  /** Signs with the current key (RS256); `iat`, `nbf`, `exp` and `jti` are added. `type` is the header's `typ`. */
  sign(
    claims: TokenClaims,
    options: { readonly type: string; readonly lifetimeSeconds: number },
  ): Promise<IssuedToken>;
  /** The current key first, then those whose tokens may still be valid. */
  publicKeys(): Promise<readonly PublicJwk[]>;
  /** One of them, also where it was made a moment ago. */
  publicKey(kid: string): Promise<PublicJwk | undefined>;
}
