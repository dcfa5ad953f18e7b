import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../../support/http.ts';
import { type StoredKey, storeKey } from '../api-keys/stored-key.ts';

const alder = '00000000-0000-4000-8000-000000000001';
const birch = '00000000-0000-4000-8000-000000000002';
const userId = 'local|alder-member';

let database: TestDatabase;
let owner: pg.Client;
let server: TestServer;
let key: StoredKey;
let alderKey: StoredKey;

beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  owner = await database.connectOwner();
  server = await startTestServer({
    database,
    rest: true,
    graphql: false,
    environment: { ROWGATE_TOKEN_RATE: '100000' },
  });
  key = await storeKey(owner);
  alderKey = await storeKey(owner, { organizationId: alder });
});
afterEach(async () => {
  await owner.query('truncate rowgate_auth.sdk_token');
  await owner.query('update public."user" set status = \'active\'');
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

type Kind = 'workflow' | 'kyc';

async function ask(kind: Kind, body: unknown, by = key) {
  const response = await server.fetch(`/auth/${kind}-sdk/init-token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': by.text },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests are about
  const answer = (await response.json()) as any;
  return { status: response.status, headers: response.headers, answer };
}

async function outcome(kind: Kind, body: unknown, by = key) {
  const { status, answer } = await ask(kind, body, by);
  return [status, answer.code];
}

const tokens = async () =>
  (await owner.query('select * from rowgate_auth.sdk_token order by expires_at')).rows;
const profile = async (id = userId) =>
  (await owner.query('select * from public.kyc_profile where user_id = $1', [id])).rows[0];

/** Creates a person without a KYC profile and returns the person's id. */
async function enterPerson(): Promise<string> {
  const email = `${randomUUID()}@birch.example`;
  const { rows } = await owner.query<{ id: string }>(
    'insert into public."user" (organization_id, email) values ($1, $2) returning id',
    [birch, email],
  );
  return rows[0]?.id ?? '';
}

describe.each([
  ['workflow', { userId, organizationId: alder }, /^wf_sdk_[\w-]{43}$/],
  ['kyc', { userId }, /^kyc_sdk_[\w-]{43}$/],
] as const)('a %s SDK token', (kind, body, shape) => {
  test('is returned with its expiry in half an hour, and may not be cached', async () => {
    const { status, headers, answer } = await ask(kind, body);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(answer).toEqual({
      token: expect.stringMatching(shape),
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const minutes = (Date.parse(answer.expiresAt) - Date.now()) / 60_000;
    expect(Math.abs(minutes - 30)).toBeLessThan(1);
  });

  test('is stored only as a digest, with its person and its API key', async () => {
    const { answer } = await ask(kind, body);
    expect(await tokens()).toMatchObject([
      { kind, user_id: userId, organization_id: alder, api_key_id: key.id },
    ]);
    const [row] = await tokens();
    expect(JSON.stringify([...Object.values(row)].map(String))).not.toContain(answer.token);
  });

  test('is different each time it is requested', async () => {
    const [one, other] = await Promise.all([ask(kind, body), ask(kind, body)]);
    expect(one.answer.token).not.toBe(other.answer.token);
    expect(await tokens()).toHaveLength(2);
  });

  test('is stored while expired tokens, and only these, are deleted', async () => {
    await ask(kind, body);
    await ask(kind, body);
    await owner.query(
      "update rowgate_auth.sdk_token set expires_at = now() - interval '1 second' where digest = (select min(digest) from rowgate_auth.sdk_token)",
    );
    await ask(kind, body);
    expect(await tokens()).toHaveLength(2);
  });

  test('is refused to an API key without the scope for this kind of token', async () => {
    const other = await storeKey(owner, {
      scopes: [kind === 'kyc' ? 'sdk:workflow' : 'sdk:kyc', 'admin', 'case:read'],
    });
    expect(await outcome(kind, body, other)).toEqual([403, 'missing-scope']);
  });

  test('is refused for an unknown user', async () => {
    expect(await outcome(kind, { ...body, userId: 'nobody' })).toEqual([404, 'not-found']);
  });

  test('is refused for a disabled user', async () => {
    await owner.query('update public."user" set status = \'disabled\' where id = $1', [userId]);
    expect(await outcome(kind, body)).toEqual([404, 'not-found']);
    expect(await tokens()).toEqual([]);
  });

  test('is issued to an API key for the organization of the user', async () => {
    expect(await outcome(kind, body, alderKey)).toEqual([200, undefined]);
  });

  test("is refused to an API key of another organization than the user's, with the same answer as for an unknown user", async () => {
    const others = await ask(kind, { ...body, userId: 'local|birch-member' }, alderKey);
    const unknown = await ask(kind, { ...body, userId: 'nobody' }, alderKey);
    const withoutRequestId = ({ status, answer }: typeof others) => [
      status,
      answer.code,
      answer.detail,
    ];
    expect(withoutRequestId(others)).toEqual([404, 'not-found', expect.any(String)]);
    expect(withoutRequestId(unknown)).toEqual(withoutRequestId(others));
  });

  test.each([
    ['no body', ''],
    ['an array', '[]'],
    ['null', 'null'],
    ['a body without userId', { ...body, userId: undefined }],
    ['an empty userId', { ...body, userId: '' }],
    ['a userId that is a number', { ...body, userId: 1 }],
    ['a userId that is a list', { ...body, userId: [userId] }],
    ['a userId with a zero byte', { ...body, userId: 'a\0b' }],
    ['a userId with half a surrogate pair', `{"userId":"\\ud800","organizationId":"${alder}"}`],
    ['a userId that is very long', { ...body, userId: 'x'.repeat(256) }],
    ['an unknown member', { ...body, role: 'admin' }],
    ['the member __proto__', `{"userId":"${userId}","__proto__":{"userId":"nobody"}}`],
    ['invalid JSON', '{"userId":'],
  ])('is refused for a request with %s', async (_title, wrong) => {
    expect(await outcome(kind, wrong)).toEqual([400, 'bad-request']);
    expect(await tokens()).toEqual([]);
  });

  test.each([
    ["' or '1'='1"],
    ['local|alder-member\u200b'],
    ['LOCAL|ALDER-MEMBER'],
    ['lоcal|alder-member'],
    ['%'],
  ])('is refused for "%s", which only resembles the id of a user', async (wrong) => {
    const status = (await ask(kind, { ...body, userId: wrong })).status;
    expect([400, 404]).toContain(status);
    expect(await tokens()).toEqual([]);
  });
});

describe('a workflow SDK token', () => {
  test('is issued when the request has the organization id in upper case', async () => {
    const body = { userId: 'local|birch-member', organizationId: birch.toUpperCase() };
    expect(await outcome('workflow', body)).toEqual([200, undefined]);
  });

  test("is refused when the request names another organization than the user's", async () => {
    const body = { userId, organizationId: birch };
    expect(await outcome('workflow', body)).toEqual([403, 'wrong-organization']);
    expect(await tokens()).toEqual([]);
  });

  test("is refused when the request names another organization than the API key's, whatever the user's is", async () => {
    for (const id of [userId, 'local|birch-member', 'nobody']) {
      const body = { userId: id, organizationId: birch };
      expect(await outcome('workflow', body, alderKey)).toEqual([403, 'wrong-organization']);
    }
  });

  test.each(['alder', '', `${alder}0`, `{${alder}}`, alder.replaceAll('-', '')])(
    'is refused when the organization is "%s", which is not a UUID',
    async (organizationId) => {
      expect(await outcome('workflow', { userId, organizationId })).toEqual([400, 'bad-request']);
    },
  );

  test('is issued without changing KYC profiles', async () => {
    const person = await enterPerson();
    await ask('workflow', { userId: person, organizationId: birch });
    expect(await profile(person)).toBeUndefined();
  });
});

describe('a request for a KYC SDK token', () => {
  test('creates a KYC profile at the basic level for a person without one', async () => {
    const person = await enterPerson();
    await ask('kyc', { userId: person });
    expect(await profile(person)).toMatchObject({
      organization_id: birch,
      level_name: 'basic-kyc-level',
      status: 'not_started',
    });
  });

  test('stores the requested level in the existing profile', async () => {
    const person = await enterPerson();
    await ask('kyc', { userId: person });
    await ask('kyc', { userId: person, levelName: 'Vollprüfung (2)' });
    expect((await profile(person)).level_name).toBe('Vollprüfung (2)');
  });

  test.each([
    ['approved', ['pending', 'in_review', 'approved']],
    ['in_review', ['pending', 'in_review']],
  ])('keeps the level of a profile that is %s', async (_status, path) => {
    const person = await enterPerson();
    await ask('kyc', { userId: person, levelName: 'plus' });
    for (const status of path) {
      await owner.query('update public.kyc_profile set status = $2 where user_id = $1', [
        person,
        status,
      ]);
    }
    const before = await profile(person);
    const issued = await tokens();
    expect(await outcome('kyc', { userId: person, levelName: 'basic' })).toEqual([
      409,
      'other-level',
    ]);
    expect([await profile(person), await tokens()]).toEqual([before, issued]);
    expect((await ask('kyc', { userId: person })).status).toBe(200);
    expect((await ask('kyc', { userId: person, levelName: 'plus' })).status).toBe(200);
    expect(await profile(person)).toEqual(before);
  });

  test('does not write a profile that already has the requested level', async () => {
    await ask('kyc', { userId, levelName: 'same' });
    const before = await profile();
    await ask('kyc', { userId, levelName: 'same' });
    expect(await profile()).toEqual(before);
  });

  test('is refused while compliance has locked the profile, and does not change it', async () => {
    await ask('kyc', { userId, levelName: 'before' });
    await owner.query("update public.kyc_profile set status = 'locked' where user_id = $1", [
      userId,
    ]);
    await owner.query('truncate rowgate_auth.sdk_token');
    const before = await profile();
    expect(await outcome('kyc', { userId, levelName: 'after' })).toEqual([409, 'profile-locked']);
    expect([await profile(), await tokens()]).toEqual([before, []]);
  });

  test.each([
    ['an empty text', ''],
    ['a text of two lines', 'a\nb'],
    ['a text with a line separator', 'a\u2028b'],
    ['a text with a character that reverses the direction', 'a\u202eb'],
    ['a text of 101 characters', 'x'.repeat(101)],
    ['null', null],
  ])('is refused when the level is %s', async (_title, levelName) => {
    expect(await outcome('kyc', { userId, levelName })).toEqual([400, 'bad-request']);
  });

  test('creates one profile when two requests arrive at the same time', async () => {
    const person = await enterPerson();
    const both = await Promise.all([1, 2].map(() => ask('kyc', { userId: person })));
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const { rowCount } = await owner.query('select from public.kyc_profile where user_id = $1', [
      person,
    ]);
    expect(rowCount).toBe(1);
  });
});
