import { exportSPKI, generateKeyPair, SignJWT } from 'jose';
import type { OwnServer } from '../support/own-database.ts';

/** Signs tokens with one key. */
export interface Signer {
  /** The public key in PEM. */
  readonly pem: string;
  sign(claims?: object, header?: object): Promise<string>;
}

export const roles = {
  'x-hasura-allowed-roles': ['reader', 'editor'],
  'x-hasura-default-role': 'reader',
  'x-hasura-user-id': 'anna',
};

export const namespace = 'https://hasura.io/jwt/claims';

/** The seconds since 1970, with an offset. */
export const seconds = (offset = 0) => Math.floor(Date.now() / 1000) + offset;

/** The claims of a token that is valid for five minutes. */
export const goodClaims = (more: object = {}) => ({
  sub: 'anna',
  exp: seconds(300),
  [namespace]: roles,
  ...more,
});

export async function makeSigner(alg: string): Promise<Signer> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return {
    pem: await exportSPKI(publicKey),
    sign: (claims = goodClaims(), header = {}) =>
      new SignJWT({ ...claims }).setProtectedHeader({ alg, ...header }).sign(privateKey),
  };
}

export function makeSecretSigner(alg: string, secret: string): Pick<Signer, 'sign'> {
  return {
    sign: (claims = goodClaims(), header = {}) =>
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg, ...header })
        .sign(new TextEncoder().encode(secret)),
  };
}

/** Sends a query with a Bearer token. */
export const askWith = (server: OwnServer, token: string, headers: Record<string, string> = {}) =>
  server.ask({ authorization: `Bearer ${token}`, ...headers });
