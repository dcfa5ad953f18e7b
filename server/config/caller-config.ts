import { isIP } from 'node:net';
import {
  type AuthenticationConfig,
  readAuthenticationConfig,
} from './authentication/authentication-config.ts';
import type { EnvironmentReader } from './environment.ts';

/** The settings that concern callers and browsers. */
export interface CallerConfig {
  /** Origins of web applications that may send cookies and be the target of redirects. */
  readonly appOrigins: ReadonlySet<string>;
  /** The value of Express's `trust proxy`: a number of proxies, or addresses; default none. */
  readonly trustProxy: number | readonly string[] | false;
  /** The role of data API requests without credentials. Default: such requests are refused. */
  readonly unauthorizedRole: string | undefined;
  /** JWT and webhook authentication from the environment. The file rowgate.yaml may add settings. */
  readonly authentication: AuthenticationConfig;
  /** Whether the environment names an identity provider, which only an application uses. */
  readonly namesIdentityProvider: boolean;
  /**
   * Maximum number of wrong secrets, of tokens with wrong signatures, and of token exchanges, for one address per
   * minute; default 30.
   */
  readonly exchangeRate: number;
}

const defaultExchangeRate = 30;

/** Reads and validates the settings for callers. The reader collects the problems. */
export function readCallerConfig(read: EnvironmentReader, headerPrefix: string): CallerConfig {
  return {
    appOrigins: new Set(read.origins('ROWGATE_APP_ORIGINS')),
    trustProxy: readTrustProxy(read),
    unauthorizedRole: readUnauthorizedRole(read),
    authentication: readAuthenticationConfig(read, headerPrefix),
    namesIdentityProvider: read.text('ROWGATE_IDP_ISSUER') !== undefined,
    exchangeRate: read.integer('ROWGATE_EXCHANGE_RATE', 1, 1_000_000) ?? defaultExchangeRate,
  };
}

/** Refuses the role admin, because it has all rights and requires the admin secret. */
function readUnauthorizedRole(read: EnvironmentReader): string | undefined {
  const role = read.text('ROWGATE_UNAUTHORIZED_ROLE');
  if (role !== 'admin') return role;
  return read.complain('ROWGATE_UNAUTHORIZED_ROLE', 'is "admin", which would let anybody do all');
}

function readTrustProxy(read: EnvironmentReader): CallerConfig['trustProxy'] {
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
  const maxBits = isIP(address) === 6 ? 128 : 32;
  const fits = /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= maxBits;
  return isIP(address) !== 0 && fits && more.length === 0;
}
