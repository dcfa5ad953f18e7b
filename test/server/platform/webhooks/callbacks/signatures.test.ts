import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCallbackEndpoints } from '../../../../../server/platform/webhooks/callbacks/receive/callback-endpoints.ts';
import { makeFormat } from '../../../../../server/rendering/format.ts';
import { startApp, type TestApp } from '../../../http/support/app.ts';
import { CallbackWorld, paths, type Sender, secrets } from './support/callback-world.ts';
import { cardPayload, custodyPayload, kycPayload } from './support/payloads.ts';
import { cardDigest, cardHeader, hexDigest, opensslDigest } from './support/signatures.ts';

const older = 'the-secret-before-this-one';

let world: CallbackWorld;
beforeAll(async () => {
  world = await CallbackWorld.make({
    ROWGATE_CUSTODY_WEBHOOK_SECRET: `${secrets.custody},${older}`,
    ROWGATE_CARD_WEBHOOK_SECRET: `${secrets.card},${older}`,
    ROWGATE_KYC_WEBHOOK_SECRET: `${secrets.kyc},${older}`,
  });
});
afterAll(() => world.end());

let count = 0;
/** Makes a request body that was never sent before, so that the server does not treat it as a repeat. */
const bodyOf = (payload: object) => {
  count += 1;
  return Buffer.from(JSON.stringify({ ...payload, n: count }));
};

async function send(sender: Sender, body: Buffer, headers: Readonly<Record<string, string>>) {
  return world.app.fetch(paths[sender], {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: new Uint8Array(body),
  });
}

async function refusal(response: Response): Promise<object> {
  const { status, code, detail } = (await response.json()) as Record<string, unknown>;
  return { status, code, detail };
}

const unproven = {
  status: 401,
  code: 'unauthenticated',
  detail: 'the callback does not prove that it comes from the provider',
};

const digests = [
  ['custody', 'X-Signature-SHA256', 'sha256', custodyPayload(), secrets.custody],
  ['kyc', 'x-payload-digest', 'sha1', kycPayload(), secrets.kyc],
] as const;

describe.each(digests)(
  'an endpoint for callbacks signed over the body: %s',
  (sender, header, algorithm, payload, secret) => {
    test('accepts a signature that openssl has computed', async () => {
      const body = bodyOf(payload);
      const response = await send(sender, body, {
        [header]: opensslDigest(algorithm, secret, body),
      });
      expect(response.status).toBe(202);
    });

    test('accepts a signature with upper-case hexadecimal digits', async () => {
      const body = bodyOf(payload);
      const digest = hexDigest(algorithm, secret, body).toUpperCase();
      expect((await send(sender, body, { [header]: digest })).status).toBe(202);
    });

    test('accepts a signature with the previous secret', async () => {
      const body = bodyOf(payload);
      const digest = hexDigest(algorithm, older, body);
      expect((await send(sender, body, { [header]: digest })).status).toBe(202);
    });

    test('refuses a callback without a signature', async () => {
      expect(await refusal(await send(sender, bodyOf(payload), {}))).toEqual(unproven);
    });

    const wrong: readonly (readonly [string, (body: Buffer) => string])[] = [
      ['an empty signature', () => ''],
      ['a signature that is cut off', (body) => hexDigest(algorithm, secret, body).slice(0, -2)],
      ['a signature that is longer', (body) => `${hexDigest(algorithm, secret, body)}00`],
      [
        'a signature that is half a byte longer',
        (body) => `${hexDigest(algorithm, secret, body)}0`,
      ],
      ['a signature that is not hexadecimal', () => 'z'.repeat(64)],
      ['a signature with another secret', (body) => hexDigest(algorithm, `${secret}x`, body)],
      [
        'a signature of another body',
        (body) => hexDigest(algorithm, secret, Buffer.concat([body, Buffer.from(' ')])),
      ],
      [
        'a signature by another algorithm',
        (body) => hexDigest(algorithm === 'sha1' ? 'sha256' : 'sha1', secret, body),
      ],
      [
        'a signature with the text of both secrets as its secret',
        (body) => hexDigest(algorithm, `${secret},${older}`, body),
      ],
    ];
    test.each(wrong)('refuses a callback with %s', async (_name, digest) => {
      const body = bodyOf(payload);
      expect(await refusal(await send(sender, body, { [header]: digest(body) }))).toEqual(unproven);
    });

    test('refuses a wrong signature before it looks at the body, which here is not even JSON', async () => {
      expect(await refusal(await send(sender, Buffer.from('{'), { [header]: '00' }))).toEqual(
        unproven,
      );
    });
  },
);

describe('the endpoint for callbacks of the card issuer, signed over time and body,', () => {
  const now = () => Math.floor(Date.now() / 1000);

  test('accepts a signature that openssl has computed', async () => {
    const body = bodyOf(cardPayload());
    const time = now();
    const signed = Buffer.concat([Buffer.from(`${time}.`), body]);
    const digest = opensslDigest('sha256', secrets.card, signed);
    const headers = { 'X-Card-Signature': `t=${time},v1=${digest}` };
    expect((await send('card', body, headers)).status).toBe(202);
  });

  const right: readonly (readonly [string, (body: Buffer) => string])[] = [
    ['a signature with the previous secret', (body) => cardHeader(older, body)],
    ['a signature made nearly five minutes ago', (body) => cardHeader(secrets.card, body, -290)],
    [
      'a signature made by a clock that is nearly five minutes ahead',
      (body) => cardHeader(secrets.card, body, 290),
    ],
    [
      'one right signature of several, separated by spaces',
      (body) => {
        const time = now();
        return `t=${time}, v1=${'0'.repeat(64)}, v1=${cardDigest(secrets.card, time, body)}`;
      },
    ],
    [
      'a right signature beside one of another version',
      (body) => `${cardHeader(secrets.card, body)},v0=abc`,
    ],
  ];
  test.each(right)('accepts %s', async (_name, header) => {
    const body = bodyOf(cardPayload());
    expect((await send('card', body, { 'X-Card-Signature': header(body) })).status).toBe(202);
  });

  const wrong: readonly (readonly [string, (body: Buffer) => string])[] = [
    ['an empty signature', () => ''],
    ['a signature made more than five minutes ago', (body) => cardHeader(secrets.card, body, -310)],
    [
      'a signature made by a clock that is more than five minutes ahead',
      (body) => cardHeader(secrets.card, body, 310),
    ],
    ['a signature with another secret', (body) => cardHeader('another-secret-of-tests', body)],
    ['a signature of another body', () => cardHeader(secrets.card, Buffer.from('{}'))],
    [
      'another time than the one that was signed',
      (body) => `t=${now()},v1=${cardDigest(secrets.card, now() - 1, body)}`,
    ],
    [
      'a signature of the body alone',
      (body) => `t=${now()},v1=${hexDigest('sha256', secrets.card, body)}`,
    ],
    ['a signature without a time', (body) => `v1=${cardDigest(secrets.card, now(), body)}`],
    ['a time without a signature', () => `t=${now()}`],
    [
      'a time that is not a number',
      (body) => `t=soon,v1=${hexDigest('sha256', secrets.card, body)}`,
    ],
    ['two times', (body) => `t=${now()},t=${now()},v1=${cardDigest(secrets.card, now(), body)}`],
    [
      'only a signature of another version',
      (body) => cardHeader(secrets.card, body).replace('v1', 'v0'),
    ],
    ['a signature that is cut off', (body) => cardHeader(secrets.card, body).slice(0, -2)],
  ];
  test.each(wrong)('refuses a callback with %s', async (_name, header) => {
    const body = bodyOf(cardPayload());
    const headers = { 'X-Card-Signature': header(body) };
    expect(await refusal(await send('card', body, headers))).toEqual(unproven);
  });

  test('refuses a callback without a signature', async () => {
    expect(await refusal(await send('card', bodyOf(cardPayload()), {}))).toEqual(unproven);
  });
});

test('a callback with a wrong signature is not stored', async () => {
  const before = await world.value('select count(*) from rowgate_webhooks.inbox');
  await send('custody', bodyOf(custodyPayload()), { 'X-Signature-SHA256': '00' });
  expect(await world.value('select count(*) from rowgate_webhooks.inbox')).toBe(before);
});

describe('without configured secrets for callbacks', () => {
  let closed: CallbackWorld;
  beforeAll(async () => {
    closed = await CallbackWorld.make({
      ROWGATE_CUSTODY_WEBHOOK_SECRET: '',
      ROWGATE_CARD_WEBHOOK_SECRET: '',
      ROWGATE_KYC_WEBHOOK_SECRET: '',
      ROWGATE_IDP_LOG_ALLOWLIST: '',
    });
  });
  afterAll(() => closed.end());

  test.each([
    ['custody', { 'X-Signature-SHA256': hexDigest('sha256', '', Buffer.from('{}')) }],
    ['card', { 'X-Card-Signature': cardHeader('', Buffer.from('{}')) }],
    ['kyc', { 'x-payload-digest': hexDigest('sha1', '', Buffer.from('{}')) }],
    ['identity', {}],
  ] as const)(
    'the endpoint %s refuses every callback with the same message',
    async (sender, headers) => {
      expect(await refusal(await closed.post(sender, '{}', headers))).toEqual(unproven);
    },
  );
});

describe('the HMAC test case of the RFCs', () => {
  // Test case 2 of RFC 4231 (section 4.3) and of RFC 2202 (section 3). The key is "Jefe".
  const text = Buffer.from('what do ya want for nothing?');
  let standard: TestApp;
  beforeAll(async () => {
    const { pool, queue, config } = world;
    const callbacks = { ...config.callbacks, custodySecrets: ['Jefe'], kycSecrets: ['Jefe'] };
    const logger = pino({ level: 'silent' });
    const services = { pool, queue, format: makeFormat('en-GB'), config: { callbacks }, logger };
    standard = await startApp({ endpoints: makeCallbackEndpoints(services) });
  });
  afterAll(() => standard.stop());

  test.each([
    [
      'custody',
      'X-Signature-SHA256',
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    ],
    ['kyc', 'x-payload-digest', 'effcdf6ae5eb2fa2d27416d5f184df9c259a7c79'],
  ] as const)(
    'is accepted as the signature of a %s callback, which is refused only because its body is not JSON',
    async (sender, header, digest) => {
      const response = await standard.fetch(paths[sender], {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', [header]: digest },
        body: new Uint8Array(text),
      });
      expect(await refusal(response)).toMatchObject({
        status: 400,
        detail: 'the body is not valid JSON',
      });
    },
  );
});
