import type { RequestHandler } from 'express';
import type pg from 'pg';
import type pino from 'pino';
import type { Model } from '../../../permissions/index.ts';
import type { AdminSignIn } from '../../admin/admin-person.ts';
import type { Authenticator } from '../../caller/authenticate.ts';
import { pageOrigins } from '../../caller/cross-site.ts';
import type { RateStore } from '../../caller/rate-store.ts';
import { type Closers, openWhole } from '../../closers.ts';
import type { Access } from '../../http/endpoint/access.ts';
import type { Endpoint } from '../../http/endpoint/define-endpoint.ts';
import type { SecurityScheme } from '../../http/endpoint/security-scheme.ts';
import type { PlatformConfig } from '../config/platform-config.ts';
import { makeApiKeyAccess } from './api-keys/api-key-access.ts';
import { personAuthenticator } from './data-api/person-authenticator.ts';
import { makeDiscoveryEndpoints } from './discovery/discovery-endpoints.ts';
import { makeRateLimits, type RateLimits } from './limits/rate-limits.ts';
import { makeSharedRates } from './limits/shared-rates.ts';
import type { Purpose, PurposeTokens } from './purpose-tokens.ts';
import { sdkTokenAuthenticator } from './sdk/sdk-authenticator.ts';
import { makeSdkEndpoints } from './sdk/sdk-endpoints.ts';
import { bearerScheme, sdkTokenScheme, sessionScheme } from './security-schemes.ts';
import { makeAdminAccess } from './sessions/admin-access.ts';
import { makeConsoleSignIn } from './sessions/console-sign-in.ts';
import { makeSessionEndpoints } from './sessions/make-session-endpoints.ts';
import { makeSessionMiddleware, type SessionMiddleware } from './sessions/session-middleware.ts';
import {
  makeSignedInAccess,
  type SignedIn,
  type SignedInServices,
} from './sessions/signed-in-access.ts';
import { openSigningKeys } from './signing/open-signing-keys.ts';
import type { SigningKeys } from './signing/signing-keys.ts';
import { openPurposeTokens } from './tokens/local/open-purpose-tokens.ts';
import type { IdentityProvider } from './tokens/provider/identity-provider.ts';
import { openIdentityProvider } from './tokens/provider/open-identity-provider.ts';
import { makeTokenVerifier } from './tokens/token-verifier.ts';
import type { Admin, ApiKeyCaller } from './user.ts';
import { makeWalletEndpoint } from './wallet/wallet-endpoint.ts';

export interface AuthOptions {
  /** The settings. `baseUrl` is the URL at which clients reach this process. */
  readonly config: PlatformConfig;
  /** Connections of the sidecar login, with which the server accesses everything except the data API. */
  readonly pool: pg.Pool;
  readonly secretKey: string;
  /** Returns the current model, the checked form of the metadata. A reload replaces it. */
  readonly model: () => Model;
  /** Ends the open subscriptions of a person after a session or token was ended. */
  readonly accessEnded?: (person: string | undefined) => void;
  readonly logger: pino.Logger;
}

/** The authentication of people and programs. */
export interface Auth {
  readonly endpoints: readonly Endpoint[];
  /** Reads the session of requests with a session cookie. It must run before all access checks. */
  readonly session: RequestHandler;
  /** Authenticators of the data API, in the order in which they run. */
  readonly authenticators: readonly Authenticator[];
  /** The credentials that the authenticators accept. */
  readonly dataApiSchemes: readonly SecurityScheme[];
  /** The access check for people. */
  readonly signedIn: Access<SignedIn>;
  /** The access check for administrators of the platform. */
  readonly admin: Access<Admin>;
  /** The sign-in of administrators to the console. */
  readonly consoleSignIn: AdminSignIn;
  /** The access check for programs that read cases. */
  readonly caseReader: Access<ApiKeyCaller>;
  /** Counts operations of the data API. */
  readonly rates: RateStore;
  purposeTokens(purpose: Purpose): PurposeTokens;
  close(): Promise<void>;
}

/**
 * Opens the signing keys, the identity provider and the sessions. Rejects when the database does not answer.
 * @throws ProcessError RG_CONFIG when a secret or the provider's settings cannot be used
 */
export function openAuth(options: AuthOptions): Promise<Auth> {
  return openWhole((closers) => open(options, closers));
}

async function open(options: AuthOptions, closers: Closers): Promise<Auth> {
  const { config, pool, secretKey, logger } = options;
  const { previousSecretKey, rates } = config.identity;
  const { appOrigins, unauthorizedRole } = config.callers;
  const { baseUrl } = config;
  const limits = makeRateLimits({ pool, rates, secretKey, logger });
  closers.add(async () => limits.close());
  const keys = await openSigningKeys({ pool, secretKey, previousSecretKey });
  const provider =
    config.identity.provider && openIdentityProvider(config.identity.provider, logger);
  closers.add(async () => provider?.close());
  const devKeys = config.database.kind === 'embedded' ? keys : undefined;
  const verifier = makeTokenVerifier({ provider, devKeys });
  const secure = config.production || baseUrl.startsWith('https:');
  const sessions = makeSessionMiddleware({ pool, secretKey, previousSecretKey, secure, logger });
  closers.add(sessions.close);
  const origins = pageOrigins(appOrigins, baseUrl);
  const { accessEnded = () => {} } = options;
  const services = { pool, verifier, origins, logger, sessions, accessEnded };
  const signedIn = makeSignedInAccess(services);
  return {
    endpoints: accountEndpoints({ ...services, config, keys, provider, limits, access: signedIn }),
    session: sessions.handler,
    // SDK tokens are checked first, because the next authenticator would refuse them as invalid Bearer tokens. Their
    // prefix distinguishes them.
    authenticators: [
      sdkTokenAuthenticator(pool, logger),
      personAuthenticator({ ...services, allowsUnauthenticated: unauthorizedRole !== undefined }),
    ],
    dataApiSchemes: [sessionScheme, bearerScheme, sdkTokenScheme],
    signedIn,
    admin: makeAdminAccess({
      signedIn,
      apiKey: makeApiKeyAccess('admin', { pool, limits, logger }),
    }),
    consoleSignIn: makeConsoleSignIn(services),
    caseReader: makeApiKeyAccess('case:read', { pool, limits, logger }),
    rates: makeSharedRates(pool, secretKey),
    purposeTokens: (purpose) => openPurposeTokens(purpose, { keys, baseUrl, logger }),
    close: () => closers.close(),
  };
}

interface EndpointServices extends SignedInServices {
  readonly config: PlatformConfig;
  readonly sessions: SessionMiddleware;
  readonly keys: SigningKeys;
  readonly provider: IdentityProvider | undefined;
  readonly limits: RateLimits;
  readonly access: Access<SignedIn>;
  readonly accessEnded: (person: string | undefined) => void;
}

function accountEndpoints(services: EndpointServices): readonly Endpoint[] {
  const { config, pool, logger, keys, provider, limits, access } = services;
  const { baseUrl } = config;
  const { signUp, walletAudience } = config.identity;
  const limit = limits.byAddress('exchange');
  return [
    ...makeSessionEndpoints({ ...services, baseUrl, signUp, limit }),
    ...makeSdkEndpoints({ pool, limits, logger }),
    makeWalletEndpoint({ access, keys, limits, baseUrl, audience: walletAudience }),
    ...makeDiscoveryEndpoints({ keys, provider, baseUrl }),
  ];
}
