import type { IssuedToken } from './issued-token.ts';

/** What a token for one purpose says, beside issuer, audience, times and its id. */
export interface PurposeClaims {
  /** Who it was issued to. */
  readonly sub: string;
  readonly [claim: string]: string;
}

/** Signed tokens that the platform issues to itself, each good for one thing and for nothing else. */
export interface PurposeTokens {
  issue(claims: PurposeClaims): Promise<IssuedToken>;
  /** What a good token claims; undefined for any other, with the reason in the log. Rejects where that cannot be told. */
  verify(token: string): Promise<Readonly<Record<string, unknown>> | undefined>;
}

export interface Purpose {
  /** The header's `typ`, and the audience. */
  readonly type: string;
  readonly lifetimeSeconds: number;
}
