import type { CallerConfig } from '../../config/caller-config.ts';
import type { EnvironmentReader } from '../../config/environment.ts';
import { type SignatureAlgorithm, signatureAlgorithms } from '../../config/signature-algorithms.ts';

/** The external service where people sign in. */
export interface IdentityProviderConfig {
  /** The exact value of `iss` in tokens. */
  readonly issuer: string;
  /** At least one audience. The `aud` of an accepted token must contain one of these. */
  readonly audiences: readonly string[];
  readonly algorithms: readonly SignatureAlgorithm[];
  /** Absent: the URL in the provider's discovery document, `<issuer>/.well-known/openid-configuration`. */
  readonly jwksUrl: string | undefined;
  /** Absent: the `end_session_endpoint` of the discovery document, if any. */
  readonly logoutUrl: string | undefined;
  /** The id of this service at the provider, which is sent to the provider's logout. */
  readonly clientId: string | undefined;
  /** The name of the claim with the e-mail address; default `email`. */
  readonly emailClaim: string;
}

/** The settings of authentication. */
export interface IdentityConfig {
  /**
   * Absent: people cannot sign in by a provider. With the embedded database, tokens of `rowgate dev-token` are then
   * accepted.
   */
  readonly provider: IdentityProviderConfig | undefined;
  /**
   * The secret that signs cookies and encrypts signing keys, of at least 32 characters. With the embedded database, a
   * missing secret is generated.
   */
  readonly secretKey: string | undefined;
  /** The previous secret key after a change, which still verifies and decrypts. */
  readonly previousSecretKey: string | undefined;
  /**
   * The people who may sign up. `open` (default): all people whom the provider knows. `invited`: only invited people.
   */
  readonly signUp: 'open' | 'invited';
  /** The audience of wallet tokens; default `wallet-provider`. */
  readonly walletAudience: string;
  readonly rates: Rates;
}

/** The maximum number of requests per minute for one network, person or key. */
export interface Rates {
  /** Exchanges of a token for a session. Wrong API keys have the same limit. Default 30. */
  readonly exchange: number;
  /** Requests for other tokens; default 60. */
  readonly tokens: number;
}

const defaults = {
  emailClaim: 'email',
  walletAudience: 'wallet-provider',
  signUp: 'open',
  tokenRate: 60,
} as const;

/** Reads the settings of authentication. Problems are collected in `read`, so that all are reported together. */
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
    // Without an audience, the server would accept tokens that the provider issued for other services.
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

/** Refuses settings of a provider without its issuer, because they would have no effect. */
function refuseWithoutIssuer(read: EnvironmentReader): undefined {
  const found = [...read.names].find(
    (name) => name.startsWith('ROWGATE_IDP_') && read.text(name) !== undefined,
  );
  if (found !== undefined) read.complain(found, 'needs ROWGATE_IDP_ISSUER beside it');
}
