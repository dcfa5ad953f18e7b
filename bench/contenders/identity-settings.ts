import type { JsonWebKey } from 'node:crypto';

/** What the contenders of the identity benchmark are told. */
export interface IdentitySettings {
  /** Of the server. */
  readonly environment: Readonly<Record<string, string>>;
  readonly metadata: string;
  /** Who reads the tables by hand. */
  readonly ownerUrl: string;
  readonly poolSize: number;
  /** Signs the cookie of the endpoint by hand. */
  readonly cookieKey: string;
  /** Of the identity provider. */
  readonly publicJwk: JsonWebKey;
  readonly issuer: string;
  readonly audience: string;
}

export function identitySettings(): IdentitySettings {
  return JSON.parse(process.env.ROWGATE_BENCH ?? '{}') as IdentitySettings;
}
