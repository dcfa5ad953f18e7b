import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { json, makeTestKey, type TestKey } from '../support/key-server.ts';
import { goodClaims, startTrialProvider, type TrialProvider } from '../support/trial-provider.ts';

const minute = 60_000;
const hour = 60 * minute;

let trial: TrialProvider;
let key: TestKey;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  key = await makeTestKey('RS256', 'one');
  trial = await startTrialProvider();
  trial.publish(key.jwk);
});
afterEach(async () => {
  vi.useRealTimers();
  await trial.stop();
});

const lasting = () => ({ ...goodClaims(), exp: Math.floor(Date.now() / 1000) + 100 * 3600 });
const verify = async (signer: TestKey, header?: object) =>
  (await trial.verifier.verify(await signer.sign(lasting(), header))).subject;
const reason = (value: string) => expect.objectContaining({ reason: value });

describe("the provider's keys are fetched", () => {
  test('once for several first tokens at the same time', async () => {
    expect(trial.requests).toEqual([]);
    await Promise.all(Array.from({ length: 20 }, () => verify(key)));
    expect(trial.requests).toEqual(['/keys']);
  });

  test('again when they are old, while tokens are verified with the old ones', async () => {
    await verify(key);
    vi.advanceTimersByTime(9 * minute);
    await verify(key);
    expect(trial.requests).toHaveLength(1);
    vi.advanceTimersByTime(2 * minute);
    const answered = new Promise<void>((resolve) => {
      trial.answer = (request, response) => {
        json({ keys: [key.jwk] })(request, response);
        resolve();
      };
    });
    expect(await verify(key)).toBe('anna');
    await answered;
    expect(trial.requests).toHaveLength(2);
  });

  test('again for a token that names an unknown key, but not for each such token', async () => {
    await verify(key);
    vi.advanceTimersByTime(11_000);
    const next = await makeTestKey('RS256', 'two');
    trial.publish(key.jwk, next.jwk);
    expect(await verify(next)).toBe('anna');
    const attempts = Array.from({ length: 30 }, (_, n) => verify(key, { kid: `stranger-${n}` }));
    for (const outcome of await Promise.allSettled(attempts)) {
      expect(outcome).toMatchObject({ reason: { reason: 'unknown-key' } });
    }
    expect(trial.requests).toHaveLength(2);
    vi.advanceTimersByTime(11_000);
    await expect(verify(key, { kid: 'stranger' })).rejects.toEqual(reason('unknown-key'));
    expect(trial.requests).toHaveLength(3);
  });
});

test('a token that was accepted before is refused once the provider no longer publishes its key', async () => {
  const token = await key.sign(lasting());
  await trial.verifier.verify(token);
  const next = await makeTestKey('RS256', 'two');
  trial.publish(next.jwk);
  expect((await trial.verifier.verify(token)).subject).toBe('anna');
  vi.advanceTimersByTime(11_000);
  await verify(next);
  await expect(trial.verifier.verify(token)).rejects.toEqual(reason('unknown-key'));
});

test('a token that was accepted before is refused once the provider publishes another key with the same id', async () => {
  const token = await key.sign(lasting());
  await trial.verifier.verify(token);
  trial.publish((await makeTestKey('RS256', 'one')).jwk, (await makeTestKey('RS256', 'two')).jwk);
  vi.advanceTimersByTime(11_000);
  await expect(verify(key, { kid: 'three' })).rejects.toEqual(reason('unknown-key'));
  await expect(trial.verifier.verify(token)).rejects.toEqual(reason('signature'));
});

describe('while the provider does not answer', () => {
  test('the keys fetched last verify tokens for a day', async () => {
    const token = await key.sign(lasting());
    await trial.verifier.verify(token);
    await trial.goAway();
    vi.advanceTimersByTime(23 * hour);
    expect((await trial.verifier.verify(token)).subject).toBe('anna');
    expect(await verify(key)).toBe('anna');
    expect(await trial.log.lineWith("identity provider's keys")).toMatchObject({ level: 'warn' });
    vi.advanceTimersByTime(2 * hour);
    await expect(trial.verifier.verify(token)).rejects.toEqual(reason('provider-unreachable'));
    await trial.comeBack();
    vi.advanceTimersByTime(11_000);
    expect((await trial.verifier.verify(token)).subject).toBe('anna');
  });

  test('a token that names an unknown key is answered 503', async () => {
    await verify(key);
    await trial.goAway();
    vi.advanceTimersByTime(11_000);
    await expect(verify(key, { kid: 'two' })).rejects.toEqual(reason('provider-unreachable'));
  });
});

describe('a key set of the provider is refused', () => {
  const privateRsa = (bits: number, publicExponent = 65537) =>
    generateKeyPairSync('rsa', { modulusLength: bits, publicExponent });

  test.each<[string, () => object]>([
    ['whose keys are shared secrets', () => ({ kty: 'oct', k: 'c2VjcmV0', kid: 'one' })],
    ['whose keys contain the private half', () => key.privateJwk],
    ['whose keys are for encryption', () => ({ ...key.jwk, use: 'enc' })],
    [
      'whose keys are for signing only, not for verifying',
      () => ({ ...key.jwk, key_ops: ['sign'] }),
    ],
    ['whose keys are for another algorithm', () => ({ ...key.jwk, alg: 'RS512' })],
    ['whose keys are too short', () => shortKey()],
    ['whose keys are too short but filled up with leading zeros', () => paddedKey()],
    [
      'whose keys have a type without a configured algorithm',
      () => publicJwk(generateKeyPairSync('ed25519')),
    ],
    ['whose keys have a curve without a configured algorithm', () => publicJwk(bitcoinPair())],
    ['whose keys have an algorithm that is not a text', () => ({ ...key.jwk, alg: 1 })],
    ['whose keys have the exponent 1', () => ({ ...key.jwk, e: 'AQ' })],
    ['whose keys have an id that is not a text', () => ({ ...key.jwk, kid: 1 })],
    ['whose keys have no modulus', () => ({ kty: 'RSA', kid: 'one', e: 'AQAB' })],
    ['whose keys are not objects', () => 'key' as unknown as object],
  ])('%s', async (_title, make) => {
    trial.publish(make());
    await expect(verify(key)).rejects.toEqual(reason('unknown-key'));
  });

  const publicJwk = ({ publicKey }: { readonly publicKey: KeyObject }) => ({
    ...publicKey.export({ format: 'jwk' }),
    kid: 'one',
  });
  const shortKey = () => publicJwk(privateRsa(1024));
  const bitcoinPair = () => generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  const paddedKey = () => {
    const short = shortKey();
    const modulus = Buffer.from(String(short.n), 'base64url');
    return { ...short, n: Buffer.concat([Buffer.alloc(128), modulus]).toString('base64url') };
  };
});

test('a key or token whose id is the name of an object member, such as constructor, does not affect other keys', async () => {
  const names = ['__proto__', 'constructor'];
  const odd = await Promise.all(names.map((name) => makeTestKey('RS256', name)));
  trial.publish(...odd.map(({ jwk }) => jwk), key.jwk);
  expect(await verify(key)).toBe('anna');
  for (const kid of ['__proto__', 'toString']) {
    await expect(verify(key, { kid })).rejects.toEqual(reason('unknown-key'));
  }
});

test('two keys with the same id are distinguished by their algorithms', async () => {
  const curve = await makeTestKey('ES256', 'one');
  trial.publish(curve.jwk, key.jwk);
  expect([await verify(key), await verify(curve)]).toEqual(['anna', 'anna']);
  trial.publish(key.jwk, (await makeTestKey('RS256', 'one')).jwk);
  vi.advanceTimersByTime(11 * minute);
  await verify(curve);
});
