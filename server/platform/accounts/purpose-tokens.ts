import type { IssuedToken } from './issued-token.ts';

/** The claims of a purpose token, besides issuer, audience, times and token id. */
export interface PurposeClaims {
  /** The id of the person to whom the token was issued. */
  readonly sub: string;
  readonly [claim: string]: string;
}

/** Signed tokens that the platform issues and accepts for one purpose only, e.g. to open one file. */
export interface PurposeTokens {
  issue(claims: PurposeClaims): Promise<IssuedToken>;
  /**
   * Returns the claims of a valid token. Returns undefined for any other token and logs the reason. Rejects when the
   * keys cannot be read.
   */
  verify(token: string): Promise<Readonly<Record<string, unknown>> | undefined>;
}

export interface Purpose {
  /** The `typ` of the token's header, which is also its audience. */
  readonly type: string;
  readonly lifetimeSeconds: number;
}
