import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type SignatureAlgorithm,
  signatureAlgorithms,
} from '../../../../../server/config/signature-algorithms.ts';
import { makeTokenVerifier } from '../../../../../server/platform/accounts/tokens/token-verifier.ts';
import { makeTestKey, type TestKey } from '../support/key-server.ts';
import { goodClaims, startTrialProvider, type TrialProvider } from '../support/trial-provider.ts';

let trial: TrialProvider;
let key: TestKey;
const start = async (...given: Parameters<typeof startTrialProvider>) => {
  await trial?.stop();
  trial = await startTrialProvider(...given);
  trial.publish(key.jwk);
};
beforeEach(async () => {
  key = await makeTestKey('ES256', 'one');
  await start();
});
afterEach(async () => {
  vi.useRealTimers();
  await trial.stop();
});

const verify = (token: string) => trial.verifier.verify(token);
const reason = (value: string) => expect.objectContaining({ reason: value });

test('the token verifier returns the person of a token and the times when it was issued and expires', async () => {
  const claims = goodClaims();
  expect(await verify(await key.sign(claims))).toEqual({
    subject: 'anna',
    issuedAt: new Date(Number(claims.iat) * 1000),
    expiresAt: new Date(Number(claims.exp) * 1000),
    digest: expect.any(Buffer),
    email: undefined,
    emailIsVerified: false,
    name: undefined,
  });
});

test.each(signatureAlgorithms)(
  'the token verifier checks a token of the algorithm %s only with a key for it',
  async (algorithm) => {
    await start({ algorithms: signatureAlgorithms });
    const own = await makeTestKey(algorithm, 'own');
    trial.publish(own.jwk);
    const token = await own.sign(goodClaims());
    expect((await verify(token)).subject).toBe('anna');
    await start({ algorithms: signatureAlgorithms.filter((one) => one !== algorithm) });
    trial.publish(own.jwk);
    await expect(verify(token)).rejects.toEqual(reason('algorithm'));
  },
);

test.each(['JWT', 'jwt', 'at+jwt', 'AT+JWT', 'application/at+jwt', undefined])(
  'the token verifier accepts tokens of the type %s',
  async (typ) => {
    expect((await verify(await key.sign(goodClaims(), { typ }))).subject).toBe('anna');
  },
);

test('the token verifier accepts a token for one of several configured audiences, in a list or alone', async () => {
  await start({ audiences: ['https://first.example', 'https://second.example'] });
  const tokens = ['https://second.example', ['x', 'https://first.example']].map((aud) =>
    key.sign({ ...goodClaims(), aud }),
  );
  const verified = await Promise.all(tokens.map(async (token) => verify(await token)));
  expect(verified.map(({ subject }) => subject)).toEqual(['anna', 'anna']);
});

test('the token verifier accepts a token from a clock that differs by half a minute', async () => {
  const now = Math.floor(Date.now() / 1000);
  const early = { iat: now + 25, nbf: now + 25, exp: now + 300 };
  const late = { iat: now - 300, exp: now - 25 };
  for (const times of [early, late]) {
    expect((await verify(await key.sign({ ...goodClaims(), ...times }))).subject).toBe('anna');
  }
});

test('the token verifier refuses every token when no provider is configured', async () => {
  const { verify } = makeTokenVerifier({ provider: undefined, devKeys: undefined });
  await expect(verify(await key.sign(goodClaims()))).rejects.toEqual(reason('no-provider'));
});

describe('the person that the token verifier returns for a token', () => {
  const profileOf = async (claims: object) => {
    const { email, emailIsVerified, name } = await verify(
      await key.sign({ ...goodClaims(), ...claims }),
    );
    return [email, emailIsVerified, name];
  };

  test.each([
    ['a verified e-mail address', { email: 'a@b.c', email_verified: true }, ['a@b.c', true]],
    [
      'a verified e-mail address when the claim is the text "true"',
      { email: 'a@b.c', email_verified: 'true' },
      ['a@b.c', true],
    ],
    [
      'an unverified e-mail address when the claim is false',
      { email: 'a@b.c', email_verified: false },
      ['a@b.c', false],
    ],
    [
      'an unverified e-mail address when the claim is missing',
      { email: 'a@b.c' },
      ['a@b.c', false],
    ],
    [
      'an unverified e-mail address when the claim is a number',
      { email: 'a@b.c', email_verified: 1 },
      ['a@b.c', false],
    ],
    [
      'no e-mail address when only the claim of verification is there',
      { email_verified: true },
      [undefined, false],
    ],
    [
      'no e-mail address when it lacks @',
      { email: 'ab.c', email_verified: true },
      [undefined, false],
    ],
    [
      'no e-mail address when it contains a space',
      { email: 'a @b.c', email_verified: true },
      [undefined, false],
    ],
    [
      'no e-mail address when there are two in one text',
      { email: 'a@b.c\n@d.e', email_verified: true },
      [undefined, false],
    ],
    [
      'no e-mail address when the claim is a list',
      { email: ['a@b.c'], email_verified: true },
      [undefined, false],
    ],
    [
      'no e-mail address when it is too long',
      { email: `${'a'.repeat(250)}@b.cd`, email_verified: true },
      [undefined, false],
    ],
  ])('has %s', async (_title, claims, expected) => {
    expect(await profileOf(claims)).toEqual([...expected, undefined]);
  });

  test('has a name cut to the maximum length', async () => {
    expect(await profileOf({ name: ` ${'é'.repeat(300)}` })).toEqual([
      undefined,
      false,
      'é'.repeat(200),
    ]);
    expect(await profileOf({ name: 'a\u0000b' })).toEqual([undefined, false, undefined]);
  });

  test('has the address of the configured claim, and only the matching claim decides that it is verified', async () => {
    await start({ emailClaim: 'https://claims.example/email' });
    const claims = { email: 'own@b.c', email_verified: true };
    const another = { 'https://claims.example/email': 'chosen@b.c' };
    const verified = { ...another, 'https://claims.example/email_verified': true };
    expect(await profileOf({ ...claims, ...another })).toEqual(['chosen@b.c', false, undefined]);
    expect(await profileOf(verified)).toEqual(['chosen@b.c', true, undefined]);
    expect(await profileOf(claims)).toEqual([undefined, false, undefined]);
  });
});

describe('a token that was verified before', () => {
  test('is refused once it expires', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    const token = await key.sign(goodClaims());
    await verify(token);
    vi.advanceTimersByTime(329_000);
    expect((await verify(token)).subject).toBe('anna');
    vi.advanceTimersByTime(2000);
    await expect(verify(token)).rejects.toEqual(reason('expired'));
  });

  test('does not make a token with the same claims and a wrong signature valid', async () => {
    const token = await key.sign(goodClaims());
    await verify(token);
    const forged = `${token.slice(0, token.lastIndexOf('.'))}.${'A'.repeat(86)}`;
    await expect(verify(forged)).rejects.toEqual(reason('signature'));
  });

  test('has the same digest when it is sent with the other valid encoding of its signature', async () => {
    const token = await key.sign(goodClaims());
    const twin = withOtherSignature(token);
    expect(twin).not.toBe(token);
    expect((await verify(twin)).digest).toEqual((await verify(token)).digest);
  });
});

/**
 * Makes the second valid form of a P-256 signature. When (r, s) is valid, (r, n - s) is valid too.
 */
function withOtherSignature(token: string): string {
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
  const [header, claims, signature = ''] = token.split('.');
  const bytes = Buffer.from(signature, 'base64url');
  const s = order - BigInt(`0x${bytes.subarray(32).toString('hex')}`);
  const other = Buffer.from(s.toString(16).padStart(64, '0'), 'hex');
  const twin = Buffer.concat([bytes.subarray(0, 32), other]).toString('base64url');
  return `${header}.${claims}.${twin}`;
}

describe('a token without the id of a key', () => {
  const unnamed = async (algorithm: SignatureAlgorithm, ...others: readonly TestKey[]) => {
    const own = await makeTestKey(algorithm);
    trial.publish(own.jwk, ...others.map(({ jwk }) => jwk));
    return verify(await own.sign(goodClaims()));
  };

  test('is verified when only one key has its algorithm', async () => {
    expect((await unnamed('RS256', key)).subject).toBe('anna');
  });

  test('is refused when several keys have its algorithm', async () => {
    await expect(unnamed('ES256', key)).rejects.toEqual(reason('unknown-key'));
  });
});
