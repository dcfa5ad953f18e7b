import type { CallerConfig } from '../../config/caller-config.ts';
import type { EnvironmentReader } from '../../config/environment.ts';

/** The outside service that people sign in at. */
export interface IdentityProviderConfig {
  /** As tokens name it in `iss`, exactly. */
  readonly issuer: string;
  /** At least one; a token is for us where its `aud` holds any of them. */
  readonly audiences: readonly string[];
  readonly algorithms: readonly SignatureAlgorithm[];
  /** Absent: the one of the provider's discovery document, `<issuer>/.well-known/openid-configuration`. */
  readonly jwksUrl: string | undefined;
  /** Absent: `end_session_endpoint` of the discovery document, if it has one. */
  readonly logoutUrl: string | undefined;
  /** Our own id at the provider; goes along to its logout. */
  readonly clientId: string | undefined;
  /** Which claim holds the e-mail address; default `email`. */
  readonly emailClaim: string;
}

/** Only such as sign with a private key: whoever can verify must not be able to sign. */
export const signatureAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
] as const;
export type SignatureAlgorithm = (typeof signatureAlgorithms)[number];

/** How people and programs are known. */
export interface IdentityConfig {
  /** Absent: none; the embedded mode then takes tokens of `rowgate dev-token`. */
  readonly provider: IdentityProviderConfig | undefined;
  /** Signs cookies and encrypts signing keys; at least 32 characters; absent: generated in embedded mode. */
  readonly secretKey: string | undefined;
  /** The secret key before the last change of it: still verifies and decrypts. */
  readonly previousSecretKey: string | undefined;
  /** Who may come without an invitation: `open` (default), everybody that the provider knows; `invited`, nobody. */
  readonly signUp: 'open' | 'invited';
  /** Audience of wallet tokens; default `wallet-provider`. */
  readonly walletAudience: string;
  readonly rates: Rates;
}

/** How often one address, person or key may ask, per minute. */
export interface Rates {
  /** Exchanges of a token for a session, and wrong API keys; default 30. */
  readonly exchange: number;
  /** Tokens asked for; default 60. */
  readonly tokens: number;
}

const defaults = {
  emailClaim: 'email',
  walletAudience: 'wallet-provider',
  signUp: 'open',
  tokenRate: 60,
} as const;

/** Reads and checks everything about identity; problems are collected by the reader. */
export function readIdentityConfig(
  read: EnvironmentReader,
  { exchangeRate }: Pick<CallerConfig, 'exchangeRate'>,
): IdentityConfig {
  return {
    provider: readProvider(read),
    secretKey: read.secret('ROWGATE_SECRET_KEY', 32),
    previousSecretKey: read.secret('ROWGATE_PREVIOUS_SECRET_KEY', 32),
    signUp: read.choice('ROWGATE_SIGN_UP', ['open', 'invited'] as const) ?? defaults.signUp,
    walletAudience: read.text('ROWGATE_WALLET_AUDIENCE') ?? defaults.walletAudience,
    rates: {
      exchange: exchangeRate,
      tokens: read.integer('ROWGATE_TOKEN_RATE', 1, 1_000_000) ?? defaults.tokenRate,
    },
  };
}

function readProvider(read: EnvironmentReader): IdentityProviderConfig | undefined {
  const issuer = read.text('ROWGATE_IDP_ISSUER');
  const audiences = read.list('ROWGATE_IDP_AUDIENCE');
  const algorithms = read.choices('ROWGATE_IDP_ALGORITHMS', signatureAlgorithms);
  const jwksUrl = read.webUrl('ROWGATE_IDP_JWKS_URL');
  const logoutUrl = read.webAddress('ROWGATE_IDP_LOGOUT_URL');
  const clientId = read.text('ROWGATE_IDP_CLIENT_ID');
  const emailClaim = read.text('ROWGATE_IDP_EMAIL_CLAIM');
  if (issuer === undefined) return refuseWithoutIssuer(read);
  if (audiences.length === 0) {
    // Else a token that the provider made for another service would be good here.
    read.complain('ROWGATE_IDP_AUDIENCE', 'must be set beside ROWGATE_IDP_ISSUER');
  }
  if (jwksUrl === undefined && !/^https?:$/.test(URL.parse(issuer)?.protocol ?? '')) {
    read.complain('ROWGATE_IDP_ISSUER', 'is no URL, so ROWGATE_IDP_JWKS_URL must be set beside it');
  }
  return {
    issuer,
    audiences,
    algorithms: algorithms.length > 0 ? algorithms : ['RS256'],
    jwksUrl,
    logoutUrl,
    clientId,
    emailClaim: emailClaim ?? defaults.emailClaim,
  };
}

/** Whoever sets any of these means a provider, and would wait for it in vain. */
function refuseWithoutIssuer(read: EnvironmentReader): undefined {
  const lonely = [...read.names].find(
    (name) => name.startsWith('ROWGATE_IDP_') && read.text(name) !== undefined,
  );
  if (lonely !== undefined) read.complain(lonely, 'needs ROWGATE_IDP_ISSUER beside it');
}
