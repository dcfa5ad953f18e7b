import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type CallbackRow,
  CallbackWorld,
  paths,
  type Sender,
  signed,
} from './support/callback-world.ts';
import { cardPayload, custodyPayload, kycPayload, logRecord } from './support/payloads.ts';

let world: CallbackWorld;
beforeAll(async () => {
  world = await CallbackWorld.make({ ROWGATE_MAX_BODY_BYTES: '2048' });
});
afterAll(() => world.end());

const mebibyte = 1024 * 1024;

/** Makes a request body from the payload, padded with spaces to this many bytes. */
function sized(payload: object, bytes: number): Buffer {
  return Buffer.from(JSON.stringify(payload).padEnd(bytes, ' '));
}

async function answerOf(response: Response): Promise<Record<string, unknown>> {
  return { status: response.status, ...((await response.json()) as object) };
}

/** Returns the callback that was stored last. */
async function newest(): Promise<CallbackRow | undefined> {
  const [row] = await world.rows<CallbackRow>(
    'select * from rowgate_webhooks.inbox order by received_at desc limit 1',
  );
  return row;
}

describe('a callback with a body of', () => {
  test.each([
    ['1 MB', 1_000_000],
    ['1 MiB', mebibyte],
  ])('%s is accepted, and stored byte for byte', async (_name, bytes) => {
    const body = sized(custodyPayload({ transfer: `large-${bytes}` }), bytes);
    const answer = await answerOf(await world.post('custody', body));
    expect(answer.status).toBe(202);
    expect((await world.callback(String(answer.id))).body.equals(body)).toBe(true);
  });

  test('1 MiB of log records is accepted, and each record is stored separately', async () => {
    const logs = Array.from({ length: 2000 }, (_, n) =>
      logRecord(`many-${n}`, 'sapi', { user_agent: 'x'.repeat(300) }),
    );
    const body = Buffer.from(JSON.stringify(logs));
    expect(body.length).toBeGreaterThan(800_000);
    expect(await answerOf(await world.post('identity', body))).toMatchObject({
      status: 202,
      duplicate: false,
      events: 2000,
      malformed: 0,
    });
  });

  test('more than the maximum is refused', async () => {
    const response = await world.post('custody', sized(custodyPayload(), mebibyte + 1));
    expect(await answerOf(response)).toMatchObject({ status: 413, code: 'body-too-large' });
  });
});

test('the signature of a callback covers its body to the last byte', async () => {
  const text =
    ' {"state":"confirmed","type":"deposit","coin":"b\\u0074c",\r\n"hash":"é","walletId":"w","transfer":"t"}\n';
  const { id } = await answerOf(await world.post('custody', text));
  const callback = await world.callback(String(id));
  expect(callback.body.toString()).toBe(text);
  expect(callback.payload).toMatchObject({ coin: 'btc', hash: 'é' });
});

test('a callback is stored with fields that the server does not know', async () => {
  const { id } = await answerOf(await world.post('card', cardPayload({ extra: { deep: [1] } })));
  expect((await world.callback(String(id))).payload).toMatchObject({ extra: { deep: [1] } });
});

describe('a callback is refused when its body is not declared as plain JSON:', () => {
  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=latin1',
    'application/json; charset="utf-16"',
  ])('%s', async (type) => {
    const response = await world.post('custody', custodyPayload(), { 'Content-Type': type });
    expect(response.status).toBe(415);
  });

  test('a compressed body', async () => {
    const body = gzipSync(JSON.stringify(custodyPayload()));
    const response = await world.post('custody', body, { 'Content-Encoding': 'gzip' });
    expect(await answerOf(response)).toMatchObject({
      status: 415,
      detail: 'the body must come as it is, without a content encoding',
    });
  });
});

test.each([
  'application/json; charset=utf-8',
  'application/json;charset="UTF-8"',
  'application/cloudevents+json',
])('a callback whose content type is %s is accepted as JSON', async (type) => {
  const payload = custodyPayload({ transfer: type });
  expect((await world.post('custody', payload, { 'Content-Type': type })).status).toBe(202);
});

const without = (payload: object, name: string) => {
  const { [name]: _left, ...rest } = payload as Record<string, unknown>;
  return rest;
};

const malformed: readonly (readonly [Sender, string, unknown, string])[] = [
  ['custody', 'no body', Buffer.alloc(0), 'the body is not valid JSON'],
  ['custody', 'text that is not JSON', '{"hash":', 'the body is not valid JSON'],
  ['custody', 'a list instead of an object', '[]', 'object'],
  ['custody', 'the same key twice', '{"hash":"a","hash":"b"}', 'twice'],
  ['custody', 'a NUL', custodyPayload({ hash: '\0' }), 'NUL'],
  ['custody', 'deep nesting', `{"a":${'['.repeat(100)}${']'.repeat(100)}}`, 'nested deeper'],
  ['custody', 'broken UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'UTF-8'],
  ...['hash', 'transfer', 'coin', 'type', 'state', 'walletId'].map(
    (name) => ['custody', `no ${name}`, without(custodyPayload(), name), name] as const,
  ),
  ['custody', 'a hash that is not a text', custodyPayload({ hash: 7 }), 'hash'],
  ['custody', 'an amount below zero', custodyPayload({ amount: -1 }), 'amount must be'],
  [
    'custody',
    'an amount that is not a number',
    custodyPayload({ amount: 'much' }),
    'amount must be',
  ],
  ['custody', 'an amount too large for a number', '{"amount":1e400}', 'too large'],
  [
    'custody',
    'an amount with more than 18 decimals',
    custodyPayload({ amount: '1e-19' }),
    '18 decimals',
  ],
  ...['eventType', 'cardId', 'amount', 'currency', 'merchantName', 'timestamp'].map(
    (name) => ['card', `no ${name}`, without(cardPayload(), name), name] as const,
  ),
  ['card', 'the amount NaN', '{"amount":NaN}', 'not valid JSON'],
  ['card', 'an amount below zero', cardPayload({ amount: -0.01 }), 'amount must be'],
  [
    'custody',
    'an amount in a text of twenty thousand zeros',
    custodyPayload({ amount: `1.${'0'.repeat(20_000)}` }),
    'amount has more than 128 characters',
  ],
  [
    'custody',
    'a balance in a text of twenty thousand zeros',
    custodyPayload({ type: 'balance', state: '', balance: `1.${'0'.repeat(20_000)}` }),
    'balance has more than 128 characters',
  ],
  ['card', 'a third of a cent', cardPayload({ amount: 0.333 }), 'amount has more than 2 decimals'],
  ['card', 'a text that is not a currency', cardPayload({ currency: 'dollars' }), 'currency'],
  [
    'card',
    'a day that does not exist',
    cardPayload({ timestamp: '2026-02-30T00:00:00Z' }),
    'timestamp',
  ],
  ...[
    'applicantId',
    'inspectionId',
    'externalUserId',
    'type',
    'reviewStatus',
    'reviewResult',
    'createdAt',
  ].map((name) => ['kyc', `no ${name}`, without(kycPayload(), name), name] as const),
  ['kyc', 'no result of the review', kycPayload({ reviewResult: {} }), 'reviewAnswer'],
  [
    'kyc',
    'a result of the review that is not a text',
    kycPayload({ reviewResult: { reviewAnswer: 1 } }),
    'reviewAnswer',
  ],
  [
    'kyc',
    'a text that is not a time',
    kycPayload({ createdAt: 'now' }),
    'createdAt must be a time',
  ],
  ['identity', 'no log_id', without(logRecord('x', 's'), 'log_id'), 'log_id'],
  ['identity', 'no data', without(logRecord('x', 's'), 'data'), 'data'],
  ['identity', 'no type', { log_id: 'x', data: {} }, 'type'],
  ['identity', 'a log-in of nobody', { log_id: 'x', data: { type: 's' } }, 'connection is missing'],
  ['identity', 'an empty list', '[]', 'object'],
  ['identity', 'a list of nothing else', [{}, 7], 'log_id'],
];

describe('a callback with an invalid body is refused, and stored for inspection:', () => {
  test.each(malformed)('%s: %s', async (sender, _name, payload, problem) => {
    const answer = await answerOf(await world.post(sender, payload));
    expect(answer).toMatchObject({
      status: 400,
      code: 'bad-request',
      detail: expect.stringContaining(problem),
    });
    expect(await newest()).toMatchObject({ provider: sender, state: 'malformed', payload: null });
  });
});

test('a callback with an invalid body is stored unchanged, with the reason of its refusal', async () => {
  const body = Buffer.from('{"hash":"kept","hash":"kept"}');
  await world.post('custody', body);
  expect(await newest()).toMatchObject({
    body,
    note: 'the body has a key twice in one object',
  });
});

test('an invalid callback that arrives twice is stored once', async () => {
  const body = '{"twice":';
  await world.post('kyc', body);
  const { status } = await world.post('kyc', body);
  expect(status).toBe(400);
  expect(
    await world.value('select count(*)::int from rowgate_webhooks.inbox where body = $1', [
      Buffer.from(body),
    ]),
  ).toBe(1);
});

test('of a list of records, the valid ones are accepted and the invalid ones are stored for inspection', async () => {
  const list = [logRecord('good-1', 'sapi'), { log_id: 7 }, logRecord('good-2', 'sapi')];
  expect(await answerOf(await world.post('identity', list))).toMatchObject({
    status: 202,
    duplicate: false,
    events: 3,
    malformed: 1,
  });
  const rows = await world.rows<{ state: string; body: Buffer }>(
    `select state, body from rowgate_webhooks.inbox
     where event_key like 'good-_' or body = $1 order by event_key like 'good-_', event_key`,
    [Buffer.from('{"log_id":7}')],
  );
  expect(rows.map(({ state, body }) => [state, JSON.parse(body.toString())])).toEqual([
    ['malformed', { log_id: 7 }],
    ['stored', logRecord('good-1', 'sapi')],
    ['stored', logRecord('good-2', 'sapi')],
  ]);
});

test('a list of 5,000 log records is accepted, and a longer list is refused and stored as a whole', async () => {
  const list = (length: number) =>
    Array.from({ length }, (_, n) => ({ log_id: `l${length}-${n}`, data: { type: 'x' } }));
  expect((await world.post('identity', list(5000))).status).toBe(202);
  expect(await answerOf(await world.post('identity', list(5001)))).toMatchObject({
    status: 400,
    detail: 'the list has more than 5000 events; send them in several',
  });
  expect(
    await world.value(
      `select count(*)::int from rowgate_webhooks.inbox where event_key like 'l5001-%'`,
    ),
  ).toBe(0);
});

test('a request with another method than POST is answered 405 with the allowed method', async () => {
  const response = await world.app.fetch('/webhooks/on-card-webhook');
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('POST, OPTIONS');
});

test('a callback with an empty body and a signature of another body is refused with 401', async () => {
  const response = await world.app.fetch(paths.custody, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...signed('custody', Buffer.from('x')) },
  });
  expect(response.status).toBe(401);
});
