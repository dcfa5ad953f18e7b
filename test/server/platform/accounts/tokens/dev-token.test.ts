import { mkdtemp, readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import type { ApplicationContext } from '../../../../../server/application.ts';
import type { ServerCommand } from '../../../../../server/cli/command-context.ts';
import { devTokenCommand } from '../../../../../server/platform/accounts/commands/dev-token-command.ts';
import { rotateKeysCommand } from '../../../../../server/platform/accounts/commands/rotate-keys-command.ts';
import { openSigningKeys } from '../../../../../server/platform/accounts/signing/open-signing-keys.ts';
import type { SigningKeys } from '../../../../../server/platform/accounts/signing/signing-keys.ts';
import { localIssuer } from '../../../../../server/platform/accounts/tokens/local/local-tokens.ts';
import { makeTokenVerifier } from '../../../../../server/platform/accounts/tokens/token-verifier.ts';
import type { PlatformSettings } from '../../../../../server/platform/config/platform-config.ts';
import { createDatabase, type TestDatabase } from '../../../../support/database.ts';
import { openPool } from '../../../../support/open-pool.ts';
import { parsePlatformConfig } from '../../../../support/platform.ts';
import { query } from '../../../../support/query.ts';

const person = 'local|alder-admin';

let database: TestDatabase;
let pool: pg.Pool;
let dataDir: string;
let keys: SigningKeys;
beforeAll(async () => {
  database = await createDatabase({ from: 'platform' });
  pool = openPool({ connectionString: database.ownerUrl, max: 2 });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(inject('scratch'), 'dev-'));
  await query(database.superuserUrl, 'delete from rowgate_auth.signing_key');
});

type Context = ApplicationContext<PlatformSettings>;

/** Runs a command as with the embedded database, and returns its output. */
async function run(
  command: ServerCommand<Context>,
  options: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const printed: string[] = [];
  const { config } = parsePlatformConfig({ ROWGATE_DATA_DIR: dataDir, ...environment }, dataDir);
  const context = {
    ...{ config, settings: config },
    connectOwner: () => database.connectOwner(),
    print: (line: string) => printed.push(line),
  } as Partial<Context> as Context;
  await command.run(options, [], context);
  return printed.join('\n');
}
const devToken = (options: object, environment = {}) =>
  run(devTokenCommand, { 'expires-in': '12h', ...options }, environment);

/** Verifies a token with the keys of the database, as a running server does. */
async function verify(token: string) {
  const secretKey = (await readFile(path.join(dataDir, 'secret-key'), 'utf8')).trim();
  keys = await openSigningKeys({ pool, secretKey, previousSecretKey: undefined });
  return makeTokenVerifier({ provider: undefined, devKeys: keys }).verify(token);
}
const reason = (value: string) => expect.objectContaining({ reason: value });

test('rowgate dev-token makes a token for a person of the database that is valid for twelve hours', async () => {
  const token = await devToken({ user: person });
  const verified = await verify(token);
  expect(verified).toMatchObject({
    subject: person,
    email: 'admin@alder.example',
    emailIsVerified: true,
    name: expect.any(String),
  });
  expect(Number(verified.expiresAt) - Number(verified.issuedAt)).toBe(12 * 3_600_000);
});

test('rowgate dev-token with an unknown e-mail address makes a token with which a new person can sign up', async () => {
  const given = { user: 'me', email: 'me@home.example', name: 'Me', 'expires-in': '90s' };
  const { subject, email, name } = await verify(await devToken(given));
  expect([subject, email, name]).toEqual(['me', 'me@home.example', 'Me']);
});

test('dev tokens from before and after a rotation of the signing key are both accepted', async () => {
  const before = await devToken({ user: person });
  await verify(before);
  const { verify: verifyOn } = makeTokenVerifier({ provider: undefined, devKeys: keys });
  const kid = await run(rotateKeysCommand, {});
  expect(kid).toMatch(/^[\w-]{43}$/);
  const after = await devToken({ user: person });
  expect((await verify(after)).subject).toBe(person);
  expect((await verifyOn(before)).subject).toBe(person);
});

test('a dev token is refused when its signing key was forgotten', async () => {
  const token = await devToken({ user: person });
  await run(rotateKeysCommand, { forget: true });
  await expect(verify(token)).rejects.toEqual(reason('unknown-key'));
});

test('a dev token without the id of its signing key is refused', async () => {
  const [, claims, signature] = (await devToken({ user: person })).split('.');
  const header = Buffer.from('{"alg":"RS256","typ":"at+jwt"}').toString('base64url');
  await expect(verify([header, claims, signature].join('.'))).rejects.toEqual(
    reason('unknown-key'),
  );
});

describe('a server that accepts dev tokens', () => {
  const sign = async (claims: object, type = 'at+jwt') => {
    await verify(await devToken({ user: person }));
    const usual = { iss: localIssuer, aud: localIssuer, sub: person };
    const { token } = await keys.sign({ ...usual, ...claims }, { type, lifetimeSeconds: 60 });
    return verify(token);
  };

  test('refuses a wallet token', async () => {
    await expect(sign({}, 'wallet+jwt')).rejects.toEqual(reason('type'));
    await expect(sign({}, 'JWT')).rejects.toEqual(reason('type'));
  });

  test('refuses other kinds of tokens that were signed with the same key', async () => {
    await expect(sign({ iss: 'http://127.0.0.1:5678' })).rejects.toEqual(reason('issuer'));
    await expect(sign({ aud: 'wallet-provider' })).rejects.toEqual(reason('audience'));
  });
});

describe('rowgate dev-token refuses', () => {
  const provider = { ROWGATE_IDP_ISSUER: 'https://id.example', ROWGATE_IDP_AUDIENCE: 'api' };
  const given = { DATABASE_URL: 'postgres://owner@db.example/app' };

  test.each<[string, object, object, object]>([
    ['an unknown person without an e-mail address', { user: 'me' }, {}, { exitCode: 1 }],
    ['a call without a user', {}, {}, { message: 'dev-token lacks --user' }],
    ['an invalid id', { user: 'a\nb' }, {}, { exitCode: 2 }],
    ['an invalid address', { user: person, email: 'home' }, {}, { exitCode: 2 }],
    ['a lifetime of too many hours', { user: person, 'expires-in': '13h' }, {}, { exitCode: 2 }],
    ['an invalid lifetime', { user: person, 'expires-in': 'soon' }, {}, { exitCode: 2 }],
    [
      'to run when a provider is configured',
      { user: person },
      provider,
      { code: 'RG_CONFIG', exitCode: 2 },
    ],
    ['to run on a given database', { user: person }, given, { code: 'RG_CONFIG', exitCode: 2 }],
  ])('%s', async (_title, options, environment, expected) => {
    await expect(devToken(options, environment)).rejects.toMatchObject(expected);
  });

  test('a disabled person', async () => {
    await query(
      database.superuserUrl,
      `update public."user" set status = 'disabled' where id = 'local|alder-investor'`,
    );
    const refused = { message: 'the user "local|alder-investor" is disabled', exitCode: 1 };
    await expect(devToken({ user: 'local|alder-investor' })).rejects.toMatchObject(refused);
  });
});
