import { execFileSync } from 'node:child_process';
import { createHmac, createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOwnDatabase, type OwnDatabase, type OwnServer } from '../support/own-database.ts';
import { askWith, goodClaims, makeSecretSigner, makeSigner, type Signer } from './support.ts';

const families = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'Ed25519',
];
const secrets = { HS256: 'a'.repeat(32), HS384: 'b'.repeat(48), HS512: 'c'.repeat(64) };
const signers = new Map<string, Pick<Signer, 'sign'>>();
const pems = new Map<string, string>();
const invalid = ['invalid-jwt', 'Could not verify JWT: JWSError JWSInvalidSignature'];

let database: OwnDatabase;
let server: OwnServer;

beforeAll(async () => {
  database = await createOwnDatabase();
  const entries: object[] = [];
  for (const type of families) {
    const signer = await makeSigner(type);
    signers.set(type, signer);
    pems.set(type, signer.pem);
    entries.push({ type, key: signer.pem, issuer: type });
  }
  for (const [type, key] of Object.entries(secrets)) {
    signers.set(type, makeSecretSigner(type, key));
    entries.push({ type, key, issuer: type });
  }
  server = await database.serve({
    ROWGATE_JWT_SECRET: JSON.stringify(entries),
    ROWGATE_UNAUTHORIZED_ROLE: 'visitor',
    ROWGATE_EXCHANGE_RATE: '1000',
  });
});
afterAll(() => database.drop());

const all = [...families, ...Object.keys(secrets)];
const sign = (type: string, iss: string, header?: object) =>
  signers.get(type)?.sign(goodClaims({ iss }), header) ?? '';

test.each(all)('a token signed with a key of the type %s is accepted', async (type) => {
  expect(await askWith(server, await sign(type, type))).toEqual({ status: 200, result: ['anna'] });
});

test.each(all)(
  'a token signed with another key than the configured one is refused for the type %s',
  async (type) => {
    const secret = 'other'.repeat(20);
    const other = type in secrets ? makeSecretSigner(type, secret) : await makeSigner(type);
    const token = await other.sign(goodClaims({ iss: type }));
    expect((await askWith(server, token)).result).toEqual(invalid);
  },
);

test.each(all)(
  'a token whose algorithm does not fit the configured key is refused for the type %s',
  async (type) => {
    const other = type === 'HS256' ? 'RS256' : 'HS256';
    expect((await askWith(server, await sign(other, type))).result).toEqual(invalid);
  },
);

test.each(all)(
  'a token with a byte after its signature is refused for the type %s',
  async (type) => {
    const [header, claims, signature = ''] = (await sign(type, type)).split('.');
    const longer = Buffer.concat([Buffer.from(signature, 'base64url'), Buffer.alloc(1)]);
    const token = [header, claims, longer.toString('base64url')].join('.');
    expect((await askWith(server, token)).result).toEqual(invalid);
  },
);

test('an RSA key configured for RS256 also verifies RS512, because existing configurations mix the two', async () => {
  const { sign: signWith, pem } = await makeSigner('RS256');
  const mixed = await database.serve({
    ROWGATE_JWT_SECRET: JSON.stringify({ type: 'RS512', key: pem }),
  });
  expect((await askWith(mixed, await signWith())).result).toEqual(['anna']);
});

test('an RSA key configured for RS256 does not verify a token with PS256', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = publicKey.export({ type: 'spki', format: 'pem' });
  const only = await database.serve({ ROWGATE_JWT_SECRET: JSON.stringify({ type: 'RS256', key }) });
  const signAs = (alg: string) =>
    new SignJWT(goodClaims()).setProtectedHeader({ alg }).sign(privateKey);
  expect((await askWith(only, await signAs('RS256'))).result).toEqual(['anna']);
  expect((await askWith(only, await signAs('PS256'))).result).toEqual(invalid);
});

test.each([
  ['RS256', 'rsa:2048'],
  ['ES256', 'ec -pkeyopt ec_paramgen_curve:P-256'],
  ['Ed25519', 'ed25519'],
])('a certificate is a key of the type %s', async (type, kind) => {
  const command = `req -x509 -newkey ${kind} -nodes -subj /CN=issuer -keyout - -out -`;
  const pem = execFileSync('openssl', command.split(' '), { encoding: 'utf8', stdio: 'pipe' });
  const [, privatePem = '', key = ''] = /^(.*-----END PRIVATE KEY-----\n)(.*)$/s.exec(pem) ?? [];
  const only = await database.serve({ ROWGATE_JWT_SECRET: JSON.stringify({ type, key }) });
  const token = await new SignJWT(goodClaims())
    .setProtectedHeader({ alg: type })
    .sign(createPrivateKey(privatePem));
  expect(key).toContain('BEGIN CERTIFICATE');
  expect((await askWith(only, token)).result).toEqual(['anna']);
});

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a forged token', () => {
  test.each(['none', 'None', 'NONE'])('with the algorithm %s is refused', async (alg) => {
    const claims = encode(goodClaims({ iss: 'RS256' }));
    for (const signature of ['', 'AAAA']) {
      const token = `${encode({ alg })}.${claims}.${signature}`;
      const { result } = await askWith(server, token);
      expect(result).toEqual([
        'invalid-jwt',
        expect.stringContaining('Could not verify JWT: JWSError'),
      ]);
    }
  });

  test.each(families)('that uses the public key of %s as a secret is refused', async (type) => {
    const signed = `${encode({ alg: 'HS256' })}.${encode(goodClaims({ iss: type }))}`;
    const signature = createHmac('sha256', pems.get(type) ?? '')
      .update(signed)
      .digest('base64url');
    expect((await askWith(server, `${signed}.${signature}`)).result).toEqual(invalid);
  });

  test('that contains its own key is refused', async () => {
    const token = await sign('RS256', 'RS256', { jwk: { kty: 'oct', k: 'AAAA' } });
    expect((await askWith(server, token)).result).toEqual(['invalid-jwt', expect.any(String)]);
  });

  test('with changed claims is refused', async () => {
    const [header, , signature] = (await sign('HS256', 'HS256')).split('.');
    const token = [header, encode(goodClaims({ iss: 'HS256', sub: 'ben' })), signature].join('.');
    expect((await askWith(server, token)).result).toEqual(invalid);
  });
});
