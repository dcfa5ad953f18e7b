import { isIP } from 'node:net';
import type { EnvironmentReader } from './environment.ts';

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
  /** Origins of web applications that may call with a cookie and be returned to. */
  readonly appOrigins: ReadonlySet<string>;
  /** As Express's `trust proxy`: a number of proxies, or addresses; default none. */
  readonly trustProxy: number | readonly string[] | false;
  /** Role of requests to the data API that say nothing about who they are; default: they are refused. */
  readonly unauthorizedRole: string | undefined;
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
  rates: { exchange: 30, tokens: 60 },
} as const satisfies Partial<IdentityConfig & IdentityProviderConfig>;

/** Reads and checks everything about identity; problems are collected by the reader. */
export function readIdentityConfig(read: EnvironmentReader): IdentityConfig {
  return {
    provider: readProvider(read),
    secretKey: read.secret('ROWGATE_SECRET_KEY', 32),
    previousSecretKey: read.secret('ROWGATE_PREVIOUS_SECRET_KEY', 32),
    signUp: read.choice('ROWGATE_SIGN_UP', ['open', 'invited'] as const) ?? defaults.signUp,
    appOrigins: new Set(read.origins('ROWGATE_APP_ORIGINS')),
    trustProxy: readTrustProxy(read),
    unauthorizedRole: readUnauthorizedRole(read),
    walletAudience: read.text('ROWGATE_WALLET_AUDIENCE') ?? defaults.walletAudience,
    rates: {
      exchange: read.integer('ROWGATE_EXCHANGE_RATE', 1, 1_000_000) ?? defaults.rates.exchange,
      tokens: read.integer('ROWGATE_TOKEN_RATE', 1, 1_000_000) ?? defaults.rates.tokens,
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

/** Everything on every table is for the admin secret alone. */
function readUnauthorizedRole(read: EnvironmentReader): string | undefined {
  const role = read.text('ROWGATE_UNAUTHORIZED_ROLE');
  if (role !== 'admin') return role;
  return read.complain('ROWGATE_UNAUTHORIZED_ROLE', 'is "admin", which would let anybody do all');
}

/** Whoever sets any of these means a provider, and would wait for it in vain. */
function refuseWithoutIssuer(read: EnvironmentReader): undefined {
  const lonely = [...read.names].find(
    (name) => name.startsWith('ROWGATE_IDP_') && read.text(name) !== undefined,
  );
  if (lonely !== undefined) read.complain(lonely, 'needs ROWGATE_IDP_ISSUER beside it');
}

function readTrustProxy(read: EnvironmentReader): IdentityConfig['trustProxy'] {
  const entries = read.list('ROWGATE_TRUST_PROXY');
  const [first] = entries;
  if (first === undefined) return false;
  if (entries.length === 1 && /^\d{1,2}$/.test(first)) return Number(first) || false;
  const wrong = entries.find((one) => !isAddressRange(one));
  if (wrong === undefined) return entries;
  read.complain(
    'ROWGATE_TRUST_PROXY',
    `names "${wrong}"; it must be a number of proxies, or addresses like 10.0.0.0/8, loopback`,
  );
  return false;
}

function isAddressRange(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [address = '', bits = '1', ...more] = text.split('/');
  const most = isIP(address) === 6 ? 128 : 32;
  const fits = /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most;
  return isIP(address) !== 0 && fits && more.length === 0;
}
