import { createHmac, createPublicKey, type JsonWebKey } from 'node:crypto';
import { CompactEncrypt, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from 'jose';
import type { TokenReason } from '../../../../../server/caller/jwt/token-error.ts';
import type { TestOidcProvider } from '../support/oidc-provider.ts';
import { audience } from '../support/sign-in.ts';

/** The material of invalid tokens. */
export interface Workshop {
  readonly provider: TestOidcProvider;
  /** A valid token of a person. */
  readonly good: string;
  /** The ID token of the same sign-in, whose audience is the application. */
  readonly idToken: string;
  /** A token that the platform has issued for a wallet. */
  readonly walletToken: string;
  /** A token of a key that the provider has removed. */
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

/** Makes a token with other claims, signed by the provider's own key; undefined removes a claim. */
const saying = (reason: TokenReason, claims: object | ((w: Workshop) => object)): BadToken => ({
  reason,
  make: (workshop) => {
    const own = typeof claims === 'function' ? claims(workshop) : claims;
    return workshop.provider.sign({ ...usual(workshop), ...own });
  },
});

/** Makes a token with other headers, signed by the provider's own key. */
const headed = (reason: TokenReason, header: object): BadToken => ({
  reason,
  make: (workshop) => workshop.provider.sign(usual(workshop), header),
});

/** Replaces a part of the valid token and keeps its signature. */
const rewritten = (
  reason: TokenReason,
  rewrite: (parts: [string, string, string], workshop: Workshop) => readonly string[],
): BadToken => ({
  reason,
  make: (workshop) => rewrite(partsOf(workshop.good), workshop).join('.'),
});

/** Makes a token with a signature of zeros, as long as one of RSA. */
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

/** The invalid tokens with the reason of their refusal. */
export const badTokens: Readonly<Record<string, BadToken>> = {
  'an unsigned one': {
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
  'an elliptic algorithm over the name of an RSA key': {
    reason: 'unknown-key',
    make: async (workshop) => {
      const { privateKey } = await generateKeyPair('ES256');
      const header = { alg: 'ES256', kid: 'key-2', typ: 'at+jwt' };
      return new SignJWT(usual(workshop)).setProtectedHeader(header).sign(privateKey);
    },
  },
  'another issuer': saying('issuer', { iss: 'https://elsewhere.example' }),
  'the issuer with a slash at its end': saying('issuer', (w) => ({
    iss: `${w.provider.issuer}/`,
  })),
  'the issuer in a list': saying('issuer', (w) => ({ iss: [w.provider.issuer] })),
  'no issuer': saying('issuer', { iss: undefined }),
  'another audience': saying('audience', { aud: 'https://other.example' }),
  'audiences without ours': saying('audience', { aud: ['https://other.example', `${audience}/`] }),
  'no audience': saying('audience', { aud: undefined }),
  'an empty list of audiences': saying('audience', { aud: [] }),
  'an id token for an application': { reason: 'audience', make: (w) => w.idToken },
  'an expired one': saying('expired', () => ({ iat: now() - 600, exp: now() - 31 })),
  'one not yet valid': saying('not-yet-valid', () => ({ nbf: now() + 35 })),
  'one from the future': saying('not-yet-valid', () => ({ iat: now() + 35 })),
  'no subject': saying('no-subject', { sub: undefined }),
  'an empty subject': saying('no-subject', { sub: '' }),
  'a number for a subject': saying('no-subject', { sub: 7 }),
  'a subject with a line break': saying('no-subject', { sub: 'auth0|anna\n' }),
  'a subject too long': saying('no-subject', { sub: 'a'.repeat(256) }),
  'a subject that is no text': saying('no-subject', { sub: 'anna\ud800' }),
  'no expiry': saying('times', { exp: undefined }),
  'an expiry as text': saying('times', () => ({ exp: String(now() + 300) })),
  'an expiry beyond all days': saying('times', { exp: 1e15 }),
  'no time of issue': saying('times', { iat: undefined }),
  'a start as text': saying('times', { nbf: '0' }),
  'a key at an address': headed('forbidden-header', { jku: 'https://evil.example/jwks' }),
  'a key of its own': headed('forbidden-header', { jwk: { kty: 'oct', k: 'AAAA' } }),
  'a certificate at an address': headed('forbidden-header', { x5u: 'https://evil.example/x' }),
  'a certificate of its own': headed('forbidden-header', { x5c: ['MIIB'] }),
  'critical headers': raw(
    'forbidden-header',
    '{"alg":"RS256","kid":"key-2","crit":["exp"],"exp":1}',
  ),
  'a payload that is not encoded': headed('forbidden-header', { b64: true }),
  'a wallet token': { reason: 'unknown-key', make: (w) => w.walletToken },
  'the type of another token': headed('type', { typ: 'wallet+jwt' }),
  'a type that is no text': raw('malformed', '{"alg":"RS256","kid":"key-2","typ":1}'),
  'too much of it': saying('too-long', { ballast: 'x'.repeat(8 * 1024) }),
  'two parts': rewritten('malformed', ([header, claims]) => [header, claims]),
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
  'bits that are left over': rewritten('malformed', ([header, claims, signature]) => [
    header,
    claims,
    // The last letter of 256 bytes has only two significant bits.
    signature.slice(0, -1) + String.fromCharCode(signature.charCodeAt(signature.length - 1) + 1),
  ]),
  'a header of garbage': raw('malformed', '{"alg":'),
  'a header that is a list': raw('malformed', '["RS256"]'),
  'a header with alg twice': raw('malformed', '{"alg":"RS256","kid":"key-2","alg":"none"}'),
  'a header with alg twice, once escaped': raw(
    'malformed',
    '{"alg":"RS256","kid":"key-2","\\u0061lg":"none"}',
  ),
  'a header of other bytes than UTF-8': rewritten('malformed', ([, ...rest]) => [
    Buffer.from('{"alg":"RS256","kid":"\xff"}', 'latin1').toString('base64url'),
    ...rest,
  ]),
  'a prototype in the header': raw('malformed', '{"alg":"RS256","__proto__":{"kid":"key-2"}}'),
  'a prototype in the claims': raw('malformed', '{"alg":"RS256"}', '{"__proto__":{"sub":"anna"}}'),
  'claims of garbage': raw('malformed', '{"alg":"RS256","kid":"key-2"}', '{"sub":'),
  'claims that are null': raw('malformed', '{"alg":"RS256","kid":"key-2"}', 'null'),
  'a name of a key that is no text': raw('malformed', '{"alg":"RS256","kid":["key-2"]}'),
  'other claims under the signature': rewritten('signature', ([header, , signature], w) => [
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
  'a key that has vanished': { reason: 'unknown-key', make: (w) => w.vanished },
  'an encrypted one': {
    reason: 'malformed',
    make: (workshop) =>
      new CompactEncrypt(Buffer.from(JSON.stringify(usual(workshop))))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .encrypt(new Uint8Array(32)),
  },
};
