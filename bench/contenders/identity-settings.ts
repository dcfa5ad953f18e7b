import type { JsonWebKey } from 'node:crypto';

/** The settings of the contenders in the identity benchmark. */
export interface IdentitySettings {
  /** The environment of the server. */
  readonly environment: Readonly<Record<string, string>>;
  readonly metadata: string;
  /** The login of the hand-written endpoint. */
  readonly ownerUrl: string;
  readonly poolSize: number;
  /** The key for the cookie of the hand-written endpoint. */
  readonly cookieKey: string;
  /** The public key of the identity provider. */
  readonly publicJwk: JsonWebKey;
  readonly issuer: string;
  readonly audience: string;
}

export function identitySettings(): IdentitySettings {
  return JSON.parse(process.env.ROWGATE_BENCH ?? '{}') as IdentitySettings;
}
