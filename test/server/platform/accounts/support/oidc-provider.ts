import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTHeaderParameters,
  SignJWT,
} from 'jose';
import Provider, { type Configuration } from 'oidc-provider';
import { audience, clientId, redirectUri, signInAt } from './sign-in.ts';

/** A complete OpenID provider in this process. A test can replace its keys and stop it. */
export interface TestOidcProvider {
  readonly issuer: string;
  /** The environment of a server that finds this provider's endpoints by OpenID discovery. */
  readonly environment: Readonly<Record<string, string>>;
  /** Returns the number of requests for the key set. */
  readonly keyRequests: () => number;
  /** Returns the published half of the current signing key. */
  readonly publicJwk: () => JWK;
  /** Signs a person in by the authorization code flow, with the client library `openid-client`. */
  signIn(subject: string): Promise<{ readonly accessToken: string; readonly idToken: string }>;
  /** Signs a token with these claims with the provider's current key. */
  sign(claims: object, header?: Partial<JWTHeaderParameters>): Promise<string>;
  /** Replaces the signing key and publishes only the new key. Servers must then refuse tokens of the old key. */
  rotate(): Promise<void>;
  /** Stops the provider and starts it again. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  stop(): Promise<void>;
}

interface Signer {
  readonly jwk: JWK;
  readonly answer: RequestListener;
}

export async function startOidcProvider(): Promise<TestOidcProvider> {
  const paths: string[] = [];
  let signer: Signer | undefined;
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    signer?.answer(request, response);
  });
  const port = await listen(server, 0);
  const issuer = `http://127.0.0.1:${port}`;
  let number = 0;
  const rotate = async () => {
    number += 1;
    signer = await makeSigner(issuer, `key-${number}`);
  };
  await rotate();
  const goAway = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return {
    issuer,
    environment: {
      ROWGATE_IDP_ISSUER: issuer,
      ROWGATE_IDP_AUDIENCE: audience,
      ROWGATE_IDP_CLIENT_ID: clientId,
    },
    keyRequests: () => paths.filter((path) => path === '/jwks').length,
    publicJwk: () => publicHalf(current(signer).jwk),
    signIn: (subject) => signInAt(issuer, subject),
    sign: (claims, header) => sign(current(signer).jwk, claims, header),
    rotate,
    goAway,
    comeBack: async () => {
      await listen(server, port);
    },
    stop: async () => {
      if (server.listening) await goAway();
    },
  };
}

function current(signer: Signer | undefined): Signer {
  if (signer) return signer;
  throw new Error('the provider has no key yet');
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function makeSigner(issuer: string, kid: string): Promise<Signer> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' };
  const provider = new Provider(issuer, configuration(jwk));
  const serve = provider.callback();
  const answer: RequestListener = async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return serve(request, response);
    // Signs in the person that the application names, without a page that requests a password.
    const { params } = await provider.interactionDetails(request, response);
    const login = { accountId: String(params.login_hint) };
    await provider.interactionFinished(request, response, { login });
  };
  return { jwk, answer };
}

function configuration(jwk: JWK): Configuration {
  return {
    jwks: { keys: [jwk] },
    clients: [
      {
        client_id: clientId,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    cookies: { keys: ['a key of tests'] },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    ttl: { AccessToken: 300, IdToken: 300, Session: 300, Interaction: 300, Grant: 300 },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({ scope: 'api', accessTokenFormat: 'jwt' }),
      },
    },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
    extraTokenClaims: (_context, token) => ({
      email: `${'accountId' in token ? token.accountId : 'nobody'}@people.example`,
      email_verified: true,
    }),
    loadExistingGrant: async ({ oidc }) => {
      const accountId = oidc.session?.accountId ?? '';
      const grant = new oidc.provider.Grant({ accountId, clientId });
      grant.addOIDCScope('openid');
      grant.addResourceScope(audience, 'api');
      await grant.save();
      return grant;
    },
  };
}

function publicHalf({ kty, n, e, kid, alg, use }: JWK): JWK {
  return { kty, n, e, kid, alg, use } as JWK;
}

async function sign(
  jwk: JWK,
  claims: object,
  header: Partial<JWTHeaderParameters> = {},
): Promise<string> {
  const full = { alg: 'RS256', kid: String(jwk.kid), typ: 'at+jwt', ...header };
  const key = await importJWK({ ...jwk, alg: full.alg }, full.alg);
  return new SignJWT({ ...claims }).setProtectedHeader(full).sign(key);
}
