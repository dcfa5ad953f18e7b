import { createHmac, createPublicKey, type JsonWebKey } from 'node:crypto';
import { CompactEncrypt, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from 'jose';
import type { TokenReason } from '../../../../../server/caller/jwt/token-error.ts';
import type { TestOidcProvider } from '../support/oidc-provider.ts';
import { audience } from '../support/sign-in.ts';

/** Valid tokens and keys from which the invalid tokens are made. */
export interface Workshop {
  readonly provider: TestOidcProvider;
  /** A valid token of a person. */
  readonly good: string;
  /** The ID token of the same sign-in. Its audience is the application, not the API. */
  readonly idToken: string;
  /** A token that the platform itself has issued for a wallet, not for access. */
  readonly walletToken: string;
  /** A token whose signing key the provider no longer publishes. */
  readonly vanished: string;
}

interface BadToken {
  readonly reason: TokenReason;
  make(workshop: Workshop): string | Promise<string>;
}

const now = () => Math.floor(Date.now() / 1000);
const usual = ({ provider }: Workshop) => ({
  iss: provider.issuer,
  aud: audience,
  sub: 'auth0|anna',
  iat: now(),
  exp: now() + 300,
});
const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const partsOf = (token: string) => token.split('.') as [string, string, string];

/**
 * Makes a token with changed claims and a valid signature of the provider. A claim with the value
 * undefined is removed.
 */
const saying = (reason: TokenReason, claims: object | ((w: Workshop) => object)): BadToken => ({
  reason,
  make: (workshop) => {
    const own = typeof claims === 'function' ? claims(workshop) : claims;
    return workshop.provider.sign({ ...usual(workshop), ...own });
  },
});

/** Makes a token with changed headers and a valid signature of the provider. */
const headed = (reason: TokenReason, header: object): BadToken => ({
  reason,
  make: (workshop) => workshop.provider.sign(usual(workshop), header),
});

/** Replaces a part of the valid token without signing it again. */
const rewritten = (
  reason: TokenReason,
  rewrite: (parts: [string, string, string], workshop: Workshop) => readonly string[],
): BadToken => ({
  reason,
  make: (workshop) => rewrite(partsOf(workshop.good), workshop).join('.'),
});

/**
 * Makes a token from raw text. Its signature consists of zeros and has the length of an RSA
 * signature.
 */
const raw = (reason: TokenReason, header: string, claims?: string): BadToken => ({
  reason,
  make: (workshop) =>
    [encode(header), encode(claims ?? usual(workshop)), encode('\0'.repeat(256))].join('.'),
});

const hmac =
  (secretOf: (jwk: JWK) => string | Buffer | Promise<string>) =>
  async (workshop: Workshop): Promise<string> => {
    const jwk = workshop.provider.publicJwk();
    const signed = `${encode({ alg: 'HS256', kid: jwk.kid, typ: 'at+jwt' })}.${encode(usual(workshop))}`;
    const mac = createHmac('sha256', await secretOf(jwk)).update(signed);
    return `${signed}.${mac.digest('base64url')}`;
  };

const pemOf = (jwk: JWK) =>
  createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' }).export({
    type: 'spki',
    format: 'pem',
  });

/** The invalid tokens by description, each with the expected reason of the refusal. */
export const badTokens: Readonly<Record<string, BadToken>> = {
  'an unsigned token': {
    reason: 'malformed',
    make: (workshop) => new UnsecuredJWT(usual(workshop)).encode(),
  },
  'alg none with a signature': raw('algorithm', '{"alg":"none","kid":"key-1"}'),
  'alg None with a signature': raw('algorithm', '{"alg":"None","kid":"key-1"}'),
  'no alg': raw('algorithm', '{"kid":"key-1"}'),
  'alg as a list': raw('algorithm', '{"alg":["RS256"],"kid":"key-1"}'),
  'alg in lower case': raw('algorithm', '{"alg":"rs256","kid":"key-1"}'),
  'HMAC with the public key as PEM': { reason: 'algorithm', make: hmac(pemOf) },
  'HMAC with the modulus': { reason: 'algorithm', make: hmac((jwk) => String(jwk.n)) },
  'HMAC with the bytes of the modulus': {
    reason: 'algorithm',
    make: hmac((jwk) => Buffer.from(String(jwk.n), 'base64url')),
  },
  'an algorithm that is not configured': headed('algorithm', { alg: 'PS256' }),
  'a signature by an elliptic curve under the id of an RSA key': {
    reason: 'unknown-key',
    make: async (workshop) => {
      const { privateKey } = await generateKeyPair('ES256');
      const header = { alg: 'ES256', kid: 'key-2', typ: 'at+jwt' };
      return new SignJWT(usual(workshop)).setProtectedHeader(header).sign(privateKey);
    },
  },
  'another issuer': saying('issuer', { iss: 'https://elsewhere.example' }),
  'the issuer with a slash appended': saying('issuer', (w) => ({
    iss: `${w.provider.issuer}/`,
  })),
  'the issuer in a list': saying('issuer', (w) => ({ iss: [w.provider.issuer] })),
  'no issuer': saying('issuer', { iss: undefined }),
  'another audience': saying('audience', { aud: 'https://other.example' }),
  'a list of other audiences': saying('audience', {
    aud: ['https://other.example', `${audience}/`],
  }),
  'no audience': saying('audience', { aud: undefined }),
  'an empty list of audiences': saying('audience', { aud: [] }),
  'an ID token for an application': { reason: 'audience', make: (w) => w.idToken },
  'an expired token': saying('expired', () => ({ iat: now() - 600, exp: now() - 31 })),
  'a token that is not yet valid': saying('not-yet-valid', () => ({ nbf: now() + 35 })),
  'a token that was issued in the future': saying('not-yet-valid', () => ({ iat: now() + 35 })),
  'no subject': saying('no-subject', { sub: undefined }),
  'an empty subject': saying('no-subject', { sub: '' }),
  'a number for a subject': saying('no-subject', { sub: 7 }),
  'a subject with a line break': saying('no-subject', { sub: 'auth0|anna\n' }),
  'a subject that is too long': saying('no-subject', { sub: 'a'.repeat(256) }),
  'a subject with half a surrogate pair': saying('no-subject', { sub: 'anna\ud800' }),
  'no expiry': saying('times', { exp: undefined }),
  'an expiry as text': saying('times', () => ({ exp: String(now() + 300) })),
  'an expiry too late for a date': saying('times', { exp: 1e15 }),
  'no time of issue': saying('times', { iat: undefined }),
  'a start of validity as text': saying('times', { nbf: '0' }),
  'the address of a key in the header': headed('forbidden-header', {
    jku: 'https://evil.example/jwks',
  }),
  'a key in the header': headed('forbidden-header', { jwk: { kty: 'oct', k: 'AAAA' } }),
  'the address of a certificate in the header': headed('forbidden-header', {
    x5u: 'https://evil.example/x',
  }),
  'a certificate in the header': headed('forbidden-header', { x5c: ['MIIB'] }),
  'critical headers': raw(
    'forbidden-header',
    '{"alg":"RS256","kid":"key-2","crit":["exp"],"exp":1}',
  ),
  'a payload that is not encoded': headed('forbidden-header', { b64: true }),
  'a wallet token': { reason: 'unknown-key', make: (w) => w.walletToken },
  'the type of another kind of token': headed('type', { typ: 'wallet+jwt' }),
  'a type that is not a text': raw('malformed', '{"alg":"RS256","kid":"key-2","typ":1}'),
  'a token that is too long': saying('too-long', { ballast: 'x'.repeat(8 * 1024) }),
  'only two parts': rewritten('malformed', ([header, claims]) => [header, claims]),
  'four parts': rewritten('malformed', (parts) => [...parts, 'AAAA']),
  'no dots': { reason: 'malformed', make: () => 'abcdefghijklmnopqrstuvwxyz' },
  'an empty header': rewritten('malformed', ([, ...rest]) => ['', ...rest]),
  'empty claims': rewritten('malformed', ([header, , signature]) => [header, '', signature]),
  'no signature': rewritten('malformed', ([header, claims]) => [header, claims, '']),
  'letters that are not base64url': rewritten('malformed', ([header, claims, signature]) => [
    header,
    claims,
    `${signature.slice(0, -2)}+/`,
  ]),
  padding: rewritten('malformed', ([header, claims, signature]) => [
    header,
    claims,
    `${signature}==`,
  ]),
  'a signature with unused bits set': rewritten('malformed', ([header, claims, signature]) => [
    header,
    claims,
    // Only two bits of the last letter encode the signature, so the next letter of the alphabet encodes the same bytes.
    signature.slice(0, -1) + String.fromCharCode(signature.charCodeAt(signature.length - 1) + 1),
  ]),
  'a header that is not JSON': raw('malformed', '{"alg":'),
  'a header that is a list': raw('malformed', '["RS256"]'),
  'a header with alg twice': raw('malformed', '{"alg":"RS256","kid":"key-2","alg":"none"}'),
  'a header with alg twice, once escaped': raw(
    'malformed',
    '{"alg":"RS256","kid":"key-2","\\u0061lg":"none"}',
  ),
  'a header that is not UTF-8': rewritten('malformed', ([, ...rest]) => [
    Buffer.from('{"alg":"RS256","kid":"\xff"}', 'latin1').toString('base64url'),
    ...rest,
  ]),
  'the key __proto__ in the header': raw(
    'malformed',
    '{"alg":"RS256","__proto__":{"kid":"key-2"}}',
  ),
  'the key __proto__ in the claims': raw(
    'malformed',
    '{"alg":"RS256"}',
    '{"__proto__":{"sub":"anna"}}',
  ),
  'claims that are not JSON': raw('malformed', '{"alg":"RS256","kid":"key-2"}', '{"sub":'),
  'claims that are null': raw('malformed', '{"alg":"RS256","kid":"key-2"}', 'null'),
  'a key id that is not a text': raw('malformed', '{"alg":"RS256","kid":["key-2"]}'),
  'claims that were changed after signing': rewritten('signature', ([header, , signature], w) => [
    header,
    encode({ ...usual(w), sub: 'auth0|berta' }),
    signature,
  ]),
  'a signature of zeros': rewritten('signature', ([header, claims]) => [
    header,
    claims,
    encode('\0'.repeat(256)),
  ]),
  'a signature of one byte': rewritten('signature', ([header, claims]) => [header, claims, 'AA']),
  'an unknown key': headed('unknown-key', { kid: 'somebody' }),
  'a key that the provider has removed': { reason: 'unknown-key', make: (w) => w.vanished },
  'an encrypted token': {
    reason: 'malformed',
    make: (workshop) =>
      new CompactEncrypt(Buffer.from(JSON.stringify(usual(workshop))))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .encrypt(new Uint8Array(32)),
  },
};
