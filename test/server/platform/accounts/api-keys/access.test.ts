import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeLogger } from '../../../../../server/log/log.ts';
import { revokeApiKey } from '../../../../../server/platform/accounts/api-keys/key-store.ts';
import { createDatabase, type TestDatabase } from '../../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../../support/http.ts';
import { LogCapture } from '../../../../support/log-capture.ts';
import { until } from '../../../../support/until.ts';
import { type StoredKey, storeKey } from './stored-key.ts';

const log = new LogCapture();
let database: TestDatabase;
let owner: pg.Client;
let superuser: pg.Client;
let server: TestServer;
let key: StoredKey;

beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  owner = await database.connectOwner();
  superuser = await database.connectSuperuser();
  server = await startTestServer({
    database,
    rest: true,
    logger: makeLogger({ logLevel: 'debug', headerPrefix: 'X-Gql-' }, log),
    environment: { ROWGATE_TOKEN_RATE: '100000' },
  });
  key = await storeKey(owner);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const body = JSON.stringify({ userId: 'local|alder-member' });

/** Sends a request with each of these values as a separate X-API-Key header line. */
async function ask(...keys: string[]) {
  const request = httpRequest(`${server.url}/auth/kyc-sdk/init-token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(keys.length > 0 && { 'X-API-Key': keys }) },
  });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const answer = (await json(response)) as Record<string, unknown>;
  return { status: response.statusCode, headers: response.headers, answer };
}

const last = (text: string) => text.at(-1) as string;
const useless = { code: 'invalid-token', detail: 'the API key is not valid' };

test('an endpoint admits an API key with the required scope', async () => {
  expect((await ask(key.text)).status).toBe(200);
});

test('an endpoint refuses a request without a key with 401, and with no WWW-Authenticate header', async () => {
  const { status, headers, answer } = await ask();
  expect([status, answer.code, headers['www-authenticate']]).toEqual([
    401,
    'unauthenticated',
    undefined,
  ]);
});

test('an endpoint refuses a key without the required scope with 403', async () => {
  const other = await storeKey(owner, { scopes: ['sdk:workflow', 'case:read', 'admin'] });
  const { status, answer } = await ask(other.text);
  expect([status, answer.code]).toEqual([403, 'missing-scope']);
});

describe('an endpoint refuses, always with the same message,', () => {
  const wrongs: Readonly<Record<string, (right: string) => readonly string[]>> = {
    'an empty key': () => [''],
    'a key that is sent twice': (right) => [right, right],
    'two keys in one header': (right) => [`${right}, ${right}`],
    'a key with the id of another key': (right) => [right.replace(/^rg_.{12}/, 'rg_000000000000')],
    'a key with another secret': (right) => [
      right.replace(last(right), last(right) === 'A' ? 'B' : 'A'),
    ],
    'a key without its secret': (right) => [right.slice(0, 16)],
    'a key with a character appended': (right) => [`${right}A`],
    'a key in upper case': (right) => [right.toUpperCase()],
    'a key with letters that look alike': (right) => [right.replace('rg', 'rɡ')],
    'a key with SQL for its id': () => [`rg_' or true --_${'A'.repeat(43)}`],
    'a key that is very long': (right) => [right + 'A'.repeat(10_000)],
    'a key as a Bearer token': (right) => [`Bearer ${right}`],
  };

  test.each(Object.entries(wrongs))('%s', async (_title, wrong) => {
    const sent = wrong(key.text).map((one) => Buffer.from(one, 'utf8').toString('latin1'));
    const { status, answer } = await ask(...sent);
    expect({ status, ...answer }).toMatchObject({ status: 401, ...useless });
  });

  test('a revoked key', async () => {
    const ended = await storeKey(owner);
    expect(await revokeApiKey(owner, ended.id)).toBe('revoked');
    const { status, answer } = await ask(ended.text);
    expect({ status, ...answer }).toMatchObject({ status: 401, ...useless });
  });

  test('an expired key', async () => {
    const expired = await storeKey(owner, { expiresAt: new Date(Date.now() - 1) });
    const { status, answer } = await ask(expired.text);
    expect({ status, ...answer }).toMatchObject({ status: 401, ...useless });
  });
});

test('an endpoint admits an API key until the moment when the key expires', async () => {
  const lasting = await storeKey(owner, { expiresAt: new Date(Date.now() + 3_600_000) });
  expect((await ask(lasting.text)).status).toBe(200);
});

describe('the time when an API key was last used', () => {
  const lastUse = async (id: string) => {
    const { rows } = await owner.query<{ at: Date | null; version: string }>(
      'select last_used_at as at, xmin::text as version from rowgate_auth.api_key where id = $1',
      [id],
    );
    return rows[0];
  };

  /** Waits until this many database connections wait for a lock. */
  const waitersFor = async (number: number) => {
    const waiting =
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await until(async () => (await superuser.query(waiting)).rowCount === number);
  };

  test('is stored, rounded to the minute', async () => {
    const used = await storeKey(owner);
    await ask(used.text);
    const at = (await lastUse(used.id))?.at ?? new Date(0);
    expect([at.getUTCSeconds(), at.getUTCMilliseconds()]).toEqual([0, 0]);
    expect(Math.abs(Date.now() - at.getTime())).toBeLessThan(120_000);
  });

  test('is stored only once in the same minute', async () => {
    const used = await storeKey(owner);
    await owner.query(
      "update rowgate_auth.api_key set last_used_at = date_trunc('minute', now() + interval '1 hour') where id = $1",
      [used.id],
    );
    const before = await lastUse(used.id);
    await ask(used.text);
    expect(await lastUse(used.id)).toEqual(before);
  });

  test('is not stored for a request that knows only the id of the key, not its secret', async () => {
    const unused = await storeKey(owner);
    await ask(`rg_${unused.id}_${'A'.repeat(43)}`);
    expect((await lastUse(unused.id))?.at).toBeNull();
  });

  test('is stored once for several requests at the same time', async () => {
    const used = await storeKey(owner);
    await owner.query(`
      create table public.written (key_id text);
      create function public.note_writing() returns trigger language plpgsql security definer as
        'begin insert into public.written values (new.id); return new; end';
      create trigger note_writing before update on rowgate_auth.api_key
        for each row execute function public.note_writing()`);
    await owner.query('begin');
    await owner.query('select from rowgate_auth.api_key where id = $1 for update', [used.id]);
    const answers = [1, 2, 3].map(() => ask(used.text));
    await waitersFor(answers.length);
    await owner.query('commit');
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await owner.query('select key_id from public.written')).rows).toEqual([
      { key_id: used.id },
    ]);
  });
});

test('the log contains why an API key was refused, and no part of the key', async () => {
  const ended = await storeKey(owner);
  await revokeApiKey(owner, ended.id);
  await ask(ended.text);
  const line = await log.lineWith(`"keyId":"${ended.id}"`);
  expect(line).toMatchObject({ reason: 'revoked', msg: 'an API key was refused' });
  expect(log.text).toContain('"x-api-key":"[secret]"');
  for (const { text } of [ended, key]) expect(log.text).not.toContain(text.slice(16));
});

test('an API key without another credential gives no access to the data API', async () => {
  const response = await server.fetch('/v1/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': key.text },
    body: '{"query":"{ __typename }"}',
  });
  expect(await response.json()).toMatchObject({
    errors: [{ extensions: { code: 'access-denied' } }],
  });
});
