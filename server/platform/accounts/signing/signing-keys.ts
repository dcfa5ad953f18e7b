import type { IssuedToken } from '../issued-token.ts';

/** A public RSA key (RFC 7517). */
export interface PublicJwk {
  readonly kty: 'RSA';
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: 'RS256';
  readonly n: string;
  readonly e: string;
}

/** The claims of a token, besides its times and its id. */
export interface TokenClaims {
  readonly iss: string;
  readonly sub: string;
  readonly aud: string;
  readonly [claim: string]: string | boolean;
}

/** The platform's own signing keys. A rotation takes effect within seconds. */
export interface SigningKeys {
  /** Signs claims with the current key (RS256), and adds `iat`, `nbf`, `exp` and `jti`. `type` is the header's `typ`. */
  sign(
    claims: TokenClaims,
    options: { readonly type: string; readonly lifetimeSeconds: number },
  ): Promise<IssuedToken>;
  /** Returns the current key, followed by the keys whose tokens may still be valid. */
  publicKeys(): Promise<readonly PublicJwk[]>;
  /** Finds a key, even a key that another process has just made. */
  publicKey(kid: string): Promise<PublicJwk | undefined>;
}
