import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

/**
 * An identity provider without sign-in pages. It publishes a key set over HTTP and signs tokens
 * with any claims.
 */
export interface LocalIssuer {
  /** The environment of a server that trusts this issuer. Its rate limits are high, so that tests do not reach them. */
  readonly environment: Readonly<Record<string, string>>;
  /** Makes a token of a person with additional claims. By default it is valid for five minutes. */
  tokenFor(subject: string, claims?: JWTPayload): Promise<string>;
  stop(): Promise<void>;
}

const issuer = 'https://identity.example';
const audience = 'https://api.example';
const kid = 'first';

export async function startLocalIssuer(): Promise<LocalIssuer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid, alg: 'ES256' }] });
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(keys);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    environment: {
      ROWGATE_IDP_ISSUER: issuer,
      ROWGATE_IDP_AUDIENCE: audience,
      ROWGATE_IDP_ALGORITHMS: 'ES256',
      ROWGATE_IDP_JWKS_URL: `http://127.0.0.1:${port}/keys`,
      ROWGATE_EXCHANGE_RATE: '10000',
    },
    tokenFor: async (subject, claims = {}) => {
      const now = Math.floor(Date.now() / 1000);
      const times = { iat: now, exp: now + 300 };
      const usual = { sub: subject, iss: issuer, aud: audience, jti: randomUUID(), ...times };
      const header = { alg: 'ES256', kid };
      return new SignJWT({ ...usual, ...claims }).setProtectedHeader(header).sign(privateKey);
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
