import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type AuthenticationConfig,
  addFileAuthentication,
} from '../../../server/config/authentication/authentication-config.ts';
import { parseConfig } from '../../../server/config/config.ts';

const secret = 's'.repeat(32);
const pem = (type: 'rsa' | 'ed25519', bits = 2048, kind: 'public' | 'private' = 'public') => {
  const pair = generateKeyPairSync(type as 'rsa', { modulusLength: bits });
  return kind === 'public'
    ? pair.publicKey.export({ type: 'spki', format: 'pem' })
    : pair.privateKey.export({ type: 'pkcs8', format: 'pem' });
};

const parse = (environment: Readonly<Record<string, string>>) =>
  parseConfig(environment, '/').config.callers.authentication;
const parseSecret = (value: unknown) => parse({ ROWGATE_JWT_SECRET: JSON.stringify(value) });

describe('ROWGATE_JWT_SECRET', () => {
  test.each<[unknown, string]>([
    ['text', 'must be a map, or a list of maps'],
    [{ type: 'HS256', key: secret, clams_map: {} }, 'has the unknown key "clams_map"'],
    [{ type: 'HS255', key: secret }, 'type a wrong value; it must be HS256 to HS512'],
    [{ key: secret }, 'has a key without its type'],
    [{ type: 'HS256' }, 'has the type HS256 without its key'],
    [{ type: 'HS256', key: 'short' }, 'has a secret of 5 bytes; the type HS256 needs at least 32'],
    [{ type: 'HS512', key: secret }, 'needs at least 64'],
    [{ type: 'HS256', key: pem('rsa') }, 'has a PEM key, but the type HS256 has a shared secret'],
    [{ type: 'RS256', key: secret }, 'has a key that cannot be read'],
    [{ type: 'RS256', key: pem('ed25519') }, 'has a key that does not fit the type RS256'],
    [{ type: 'ES256', key: pem('rsa') }, 'has a key that does not fit the type ES256'],
    [{ type: 'RS256', key: pem('rsa', 1024) }, 'has an RSA key that is too weak'],
    [{ type: 'RS256', key: pem('rsa', 2048, 'private') }, 'has a private key'],
    [{ audience: 'web' }, 'has neither key nor jwk_url nor issuer'],
    [
      { type: 'RS256', key: pem('rsa'), jwk_url: 'https://a.example' },
      'has jwk_url, which has no effect beside key',
    ],
    [{ jwk_url: 'ftp://a.example' }, 'has a jwk_url that is not an http or https URL'],
    [
      { type: 'HS256', key: secret, claims_namespace: 'a', claims_namespace_path: '$.a' },
      'has claims_namespace, which has no effect beside claims_namespace_path',
    ],
    [
      { type: 'HS256', key: secret, claims_format: 'json', claims_map: {} },
      'has claims_format, which has no effect beside claims_map',
    ],
    [
      { type: 'HS256', key: secret, claims_map: {} },
      'has a claims_map without x-gql-allowed-roles',
    ],
    [
      {
        type: 'HS256',
        key: secret,
        claims_map: { 'x-gql-allowed-roles': 'a', 'x-gql-default-role': 'a' },
      },
      'has a value for x-gql-allowed-roles that is not a list of roles',
    ],
    [{ type: 'HS256', key: secret, claims_namespace_path: 'a.b' }, 'has the path "a.b"'],
    [{ type: 'HS256', key: secret, claims_namespace_path: '$.a..b' }, 'has the path "$.a..b"'],
    [
      { type: 'HS256', key: secret, header: { type: 'Cookie' } },
      'has the header type Cookie without name',
    ],
    [
      { type: 'HS256', key: secret, header: { type: 'Authorization', name: 'a' } },
      'has name, which has no effect beside the header type Authorization',
    ],
  ])('%j is refused', (value, message) => {
    expect(() => parseSecret(value)).toThrow(message);
  });

  test('is not repeated in any message', () => {
    const text = `{"type": "HS256", "key": "${secret}",`;
    for (const value of [text, JSON.stringify({ type: 'HS256', key: [secret] })]) {
      expect(() => parse({ ROWGATE_JWT_SECRET: value })).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining(secret) }),
      );
    }
  });
});

test('settings of the webhook are refused without its URL', () => {
  expect(() => parse({ ROWGATE_AUTH_HOOK_MODE: 'POST' })).toThrow(
    'ROWGATE_AUTH_HOOK_MODE also requires ROWGATE_AUTH_HOOK',
  );
});

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function addFile(
  text: string,
  variables: Readonly<Record<string, string>> = {},
  environment: AuthenticationConfig = parse({}),
): Promise<AuthenticationConfig> {
  const metadata = await mkdtemp(path.join(tmpdir(), 'rowgate-settings-'));
  folders.push(metadata);
  await writeFile(path.join(metadata, 'rowgate.yaml'), text);
  const variable = (name: string) => variables[name];
  return addFileAuthentication({ environment, metadata, headerPrefix: 'X-Gql-', variable });
}

describe('settings of authentication in rowgate.yaml', () => {
  test('may take secrets and addresses from environment variables', async () => {
    const found = await addFile(
      `authentication:
  jwt:
    - { type: HS256, key: { from_env: JWT_KEY }, audience: [web, mobile] }
    - { jwk_url: { from_env: KEYS }, issuer: 'https://id.example' }
  webhook: { url: 'https://hook.example/', mode: POST, timeout_ms: 500 }
`,
      { JWT_KEY: secret, KEYS: 'https://id.example/keys' },
    );
    expect(found).toMatchObject({
      jwt: [
        { keys: { kind: 'fixed', algorithms: ['HS256'] }, audiences: ['web', 'mobile'] },
        { keys: { kind: 'set', url: 'https://id.example/keys' }, issuer: 'https://id.example' },
      ],
      webhook: { url: 'https://hook.example/', mode: 'POST', timeoutMs: 500 },
    });
  });

  test('may not contain a secret as text', async () => {
    await expect(
      addFile(`authentication: { jwt: { type: HS256, key: ${secret} } }`),
    ).rejects.toMatchObject({
      code: 'RG_CONFIG',
      message: expect.stringMatching(/rowgate\.yaml:1:17: .* write key: \{ from_env: NAME \}/),
    });
  });

  test('are refused with the name of an environment variable that is not set', async () => {
    await expect(
      addFile('authentication: { webhook: { url: { from_env: HOOK } } }'),
    ).rejects.toThrow('authentication.webhook names the variable HOOK, which is not set');
  });

  test.each([
    [{ ROWGATE_JWT_SECRET: JSON.stringify({ type: 'HS256', key: secret }) }, 'ROWGATE_JWT_SECRET'],
    [{ ROWGATE_AUTH_HOOK: 'https://hook.example' }, 'ROWGATE_AUTH_HOOK'],
  ])('are refused when the environment sets the same: %j', async (environment, name) => {
    const text = `authentication:
  jwt: { issuer: 'https://id.example' }
  webhook: { url: 'https://hook.example' }
`;
    await expect(addFile(text, {}, parse(environment))).rejects.toThrow(
      `and ${name} are both set; remove one`,
    );
  });
});
