import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openSigningKeys } from '../../../../../server/platform/accounts/signing/open-signing-keys.ts';
import { rotateKeys } from '../../../../../server/platform/accounts/signing/rotate-keys.ts';
import { createDatabase, type TestDatabase } from '../../../../support/database.ts';
import { openPool } from '../../../../support/open-pool.ts';

const secretKey = 'the secret key of these tests, long enough';
const previousSecretKey = undefined;
const secrets = { secretKey, previousSecretKey };
const claims = { iss: 'https://api.example', sub: 'anna', aud: 'somebody' };

let database: TestDatabase;
let owner: pg.Client;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createDatabase({ from: 'platform' });
  owner = await database.connectOwner();
  pool = openPool({ connectionString: database.ownerUrl, max: 4 });
});
beforeEach(async () => {
  await owner.query('delete from rowgate_auth.signing_key');
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const stored = async (): Promise<readonly { kid: string; retired: boolean; bytes: Buffer }[]> => {
  const { rows } = await owner.query(
    `select kid, retired_at is not null as retired, sealed_private_jwk as bytes
     from rowgate_auth.signing_key order by retired_at desc nulls first`,
  );
  return rows;
};
const sign = (keys: Awaited<ReturnType<typeof openSigningKeys>>) =>
  keys.sign(claims, { type: 'trial+jwt', lifetimeSeconds: 60 });

describe('the first process on a database makes a signing key', () => {
  test('only once, even when many processes start at the same time', async () => {
    const all = await Promise.all(
      Array.from({ length: 4 }, () => openSigningKeys({ pool, ...secrets })),
    );
    const kids = await Promise.all(all.map(async (keys) => (await keys.publicKeys())[0]?.kid));
    const [row, another] = await stored();
    expect([new Set(kids), another]).toEqual([new Set([row?.kid]), undefined]);
  });

  test('and stores its private half only encrypted', async () => {
    await openSigningKeys({ pool, ...secrets });
    const { rows } = await owner.query('select k::text as row from rowgate_auth.signing_key k');
    expect(rows[0].row).not.toMatch(/"(d|p|q|dp|dq|qi)"/);
    const [key] = await stored();
    expect(key?.bytes.toString('latin1')).not.toContain('"kty"');
  });

  test('whose signatures other libraries can verify', async () => {
    const keys = await openSigningKeys({ pool, ...secrets });
    const { token, expiresAt } = await sign(keys);
    const set = createLocalJWKSet({ keys: [...(await keys.publicKeys())] } as JSONWebKeySet);
    const { payload, protectedHeader } = await jwtVerify(token, set);
    const [key] = await stored();
    expect(protectedHeader).toEqual({ alg: 'RS256', typ: 'trial+jwt', kid: key?.kid });
    expect(payload).toEqual({
      ...claims,
      iat: expect.any(Number),
      nbf: payload.iat,
      exp: Number(payload.iat) + 60,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(expiresAt).toEqual(new Date(Number(payload.exp) * 1000));
  });
});

describe('after a change of the secret that encrypts signing keys', () => {
  const other = 'quite another secret key, long enough too';
  const refused = expect.objectContaining({
    code: 'RG_CONFIG',
    exitCode: 2,
    message: expect.stringContaining('ROWGATE_SECRET_KEY'),
    hint: expect.stringContaining('ROWGATE_PREVIOUS_SECRET_KEY'),
  });

  test('a stored key can be read only while the previous secret is configured too', async () => {
    await openSigningKeys({ pool, ...secrets });
    const kid = (await stored())[0]?.kid;
    await expect(
      openSigningKeys({ pool, secretKey: other, previousSecretKey: undefined }),
    ).rejects.toEqual(refused);
    const keys = await openSigningKeys({ pool, secretKey: other, previousSecretKey: secretKey });
    expect((await keys.publicKeys()).map((key) => key.kid)).toEqual([kid]);
    expect((await sign(keys)).token).toMatch(/^ey/);
  });

  test('and a rotation of the keys, the previous secret is no longer needed', async () => {
    await openSigningKeys({ pool, ...secrets });
    await rotateKeys(owner, { secretKey: other, previousSecretKey: secretKey, forget: false });
    const keys = await openSigningKeys({ pool, secretKey: other, previousSecretKey: undefined });
    expect(await keys.publicKeys()).toHaveLength(2);
  });

  test('a rotation with a wrong secret is refused, unless the option --forget deletes the old key', async () => {
    await openSigningKeys({ pool, ...secrets });
    const before = await stored();
    const lost = { secretKey: other, previousSecretKey: undefined };
    await expect(rotateKeys(owner, { ...lost, forget: false })).rejects.toEqual(refused);
    expect(await stored()).toEqual(before);
    const kid = await rotateKeys(owner, { ...lost, forget: true });
    expect((await stored()).map((key) => key.kid)).toEqual([kid]);
    await openSigningKeys({ pool, ...lost });
  });
});

test.each([
  ['that was copied from another row', "set kid = 'somebody'"],
  ['that was changed', 'set sealed_private_jwk = set_byte(sealed_private_jwk, 40, 7)'],
  ['that was cut off', 'set sealed_private_jwk = substring(sealed_private_jwk for 20)'],
  ['of another format version', 'set sealed_private_jwk = set_byte(sealed_private_jwk, 0, 9)'],
])('a stored private key %s is refused', async (_title, change) => {
  await openSigningKeys({ pool, ...secrets });
  await owner.query(`update rowgate_auth.signing_key ${change}`);
  const refused = expect.objectContaining({ code: 'RG_CONFIG' });
  await expect(openSigningKeys({ pool, ...secrets })).rejects.toEqual(refused);
});

describe('a rotation of the signing key', () => {
  const rotate = (forget = false) => rotateKeys(owner, { ...secrets, forget });

  test('still publishes the public half of the old key, so that tokens signed with it stay valid', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const keys = await openSigningKeys({ pool, ...secrets });
    const old = (await stored())[0]?.kid;
    const kid = await rotate();
    expect(await stored()).toMatchObject([
      { kid, retired: false },
      { kid: old, retired: true, bytes: Buffer.of() },
    ]);
    vi.advanceTimersByTime(11_000);
    expect((await keys.publicKeys()).map((key) => key.kid)).toEqual([kid, old]);
  });

  test('makes running servers sign with the new key within ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const keys = await openSigningKeys({ pool, ...secrets });
    const set = createLocalJWKSet({ keys: [...(await keys.publicKeys())] } as JSONWebKeySet);
    await rotate();
    vi.advanceTimersByTime(5000);
    await jwtVerify((await sign(keys)).token, set);
    vi.advanceTimersByTime(6000);
    await expect(jwtVerify((await sign(keys)).token, set)).rejects.toThrow('no applicable key');
  });

  test('makes a running server load the new key at once when a token names it', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const keys = await openSigningKeys({ pool, ...secrets });
    const kid = await rotate();
    vi.advanceTimersByTime(1001);
    expect(await keys.publicKey(kid)).toMatchObject({ kid });
    expect(await keys.publicKey('nobody')).toBeUndefined();
  });

  test('ignores keys that were replaced more than a day ago, and deletes them', async () => {
    await openSigningKeys({ pool, ...secrets });
    const second = await rotate();
    const age = (hours: number) =>
      owner.query(
        `update rowgate_auth.signing_key set retired_at = now() - make_interval(hours => ${hours})
         where retired_at is not null`,
      );
    await age(23);
    expect(await (await openSigningKeys({ pool, ...secrets })).publicKeys()).toHaveLength(2);
    await age(25);
    const [only, none] = await (await openSigningKeys({ pool, ...secrets })).publicKeys();
    expect([only?.kid, none]).toEqual([second, undefined]);
    const third = await rotate();
    expect((await stored()).map((key) => key.kid)).toEqual([third, second]);
  });

  test('that runs twice at the same time makes two keys, of which one signs', async () => {
    await openSigningKeys({ pool, ...secrets });
    const another = await database.connectOwner();
    const kids = await Promise.all([rotate(), rotateKeys(another, { ...secrets, forget: false })]);
    await another.end();
    const keys = await stored();
    expect(keys.map((key) => key.retired)).toEqual([false, true, true]);
    expect(keys.map((key) => key.kid)).toEqual(expect.arrayContaining(kids));
  });

  test('with --forget deletes the old key, so that its tokens are refused', async () => {
    await openSigningKeys({ pool, ...secrets });
    const kid = await rotate(true);
    expect((await stored()).map((key) => key.kid)).toEqual([kid]);
  });
});

test('while the database is down, the server verifies tokens with the keys it has loaded', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const brief = openPool({ connectionString: database.ownerUrl });
  const keys = await openSigningKeys({ pool: brief, ...secrets });
  await brief.end();
  vi.advanceTimersByTime(11_000);
  expect(await keys.publicKeys()).toHaveLength(1);
  await expect(openSigningKeys({ pool: brief, ...secrets })).rejects.toThrow();
});
