import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { revokeApiKey } from '../../../../../server/platform/accounts/api-keys/key-store.ts';
import { makeRateLimits } from '../../../../../server/platform/accounts/limits/rate-limits.ts';
import { makeSharedRates } from '../../../../../server/platform/accounts/limits/shared-rates.ts';
import { createDatabase, type TestDatabase } from '../../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../../support/http.ts';
import { openPool } from '../../../../support/open-pool.ts';
import { query } from '../../../../support/query.ts';
import { storeKey } from '../api-keys/stored-key.ts';

const rate = 3;
let database: TestDatabase;
let owner: pg.Client;
/** A server that trusts no proxy, and so ignores X-Forwarded-For. */
let direct: TestServer;
/** A server that trusts the proxy in front of it, and so reads the client's address from X-Forwarded-For. */
let proxied: TestServer;

beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  owner = await database.connectOwner();
  const environment = { ROWGATE_TOKEN_RATE: String(rate), ROWGATE_EXCHANGE_RATE: String(rate) };
  direct = await startTestServer({ database, rest: true, graphql: false, environment });
  proxied = await startTestServer({
    database,
    rest: true,
    graphql: false,
    environment: {
      ...environment,
      ROWGATE_TRUST_PROXY: '1',
      // Both servers share the folder, because it contains the passwords of the logins that both
      // use.
      ROWGATE_DATA_DIR: direct.config.dataDir,
    },
  });
});
afterAll(async () => {
  await Promise.all([direct.stop(), proxied.stop()]);
  await database.drop();
});

// Each test starts with empty counters. It also uses its own addresses and keys, because servers
// remember refusals in memory.
beforeEach(() => owner.query('delete from rowgate_auth.rate_limit'));

/** Requests an SDK token with an API key. `from` is the client address that a proxy reports. */
function ask(server: TestServer, from?: string, key = 'rg_'): Promise<Response> {
  return server.fetch('/auth/kyc-sdk/init-token', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-API-Key': key,
      ...(from !== undefined && { 'X-Forwarded-For': from }),
    },
    body: '{"userId":"local|alder-member"}',
  });
}

/** Sends requests one after the other and returns the statuses of the answers. */
async function statuses(requests: readonly (() => Promise<Response>)[]): Promise<number[]> {
  const found: number[] = [];
  for (const request of requests) found.push((await request()).status);
  return found;
}

const times = <T>(count: number, what: T): readonly T[] => Array<T>(count).fill(what);

describe('the rate limit by client address', () => {
  test('counts requests to two servers together, and ignores X-Forwarded-For without a trusted proxy', async () => {
    const one = (from: string) => () => ask(direct, from);
    const other = () => ask(proxied);
    expect(
      await statuses([
        ...[one('198.51.100.1'), other, one('198.51.100.2'), other],
        ...[one('198.51.100.3'), one('198.51.100.4')],
      ]),
    ).toEqual([401, 401, 401, 429, 429, 429]);
  });

  test('answers 429 with Retry-After to the request above the limit', async () => {
    await statuses(times(rate, () => ask(proxied, '192.0.2.1')));
    const response = await ask(proxied, '192.0.2.1');
    const seconds = Number(response.headers.get('retry-after'));
    expect(response.headers.get('content-type')).toContain('application/problem+json');
    expect(await response.json()).toMatchObject({ status: 429, code: 'too-many-requests' });
    expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60).toBe(true);
  });

  test('uses the address in X-Forwarded-For when a trusted proxy sends it', async () => {
    const [mine, others] = [() => ask(proxied, '192.0.2.2'), () => ask(proxied, '192.0.2.3')];
    expect(await statuses([...times(rate + 1, mine), others])).toEqual([401, 401, 401, 429, 401]);
  });

  test('ignores addresses that the client itself wrote into X-Forwarded-For', async () => {
    const from = ['1.1.1.1', '2.2.2.2', '3.3.3.3', '4.4.4.4'].map((one) => `${one}, 192.0.2.4`);
    expect((await statuses(from.map((one) => () => ask(proxied, one)))).at(-1)).toBe(429);
  });

  test('counts all addresses of one IPv6 network (/64) together', async () => {
    const from = [1, 2, 3, 4].map((one) => `2001:db8:5:6:${one}::${one}`);
    expect((await statuses(from.map((one) => () => ask(proxied, one)))).at(-1)).toBe(429);
  });

  test('allows simultaneous requests only up to the limit, too', async () => {
    const responses = await Promise.all(times(20, '192.0.2.9').map((from) => ask(proxied, from)));
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(rate);
  });

  test('stores no client address in the database', async () => {
    await ask(proxied, '203.0.113.77');
    const rows = await query(database.superuserUrl, 'select key from rowgate_auth.rate_limit');
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      expect(row).toEqual({
        key: expect.stringMatching(/^(tokens|exchange|wrong-key):[\w-]{43}$/),
      });
    }
  });

  test('refuses all requests while the database cannot count them', async () => {
    await owner.query('alter table rowgate_auth.rate_limit rename to away');
    const response = await ask(proxied, '192.0.2.10');
    await owner.query('alter table rowgate_auth.away rename to rate_limit');
    expect(await response.json()).toMatchObject({ status: 503, code: 'unavailable' });
  });
});

describe('the rate limit by API key', () => {
  test('counts requests with one key from all addresses together, and each key separately', async () => {
    const [often, seldom] = [await storeKey(owner), await storeKey(owner)];
    const from = (key: string) => (address: string) => () => ask(proxied, address, key);
    const addresses = ['192.0.2.21', '192.0.2.22', '192.0.2.23', '192.0.2.24'];
    expect(await statuses(addresses.map(from(often.text)))).toEqual([200, 200, 200, 429]);
    expect(await statuses(['192.0.2.25'].map(from(seldom.text)))).toEqual([200]);
  });

  test('does not count requests with the id of a key and a wrong secret, so that others cannot use up the limit of a key', async () => {
    const key = await storeKey(owner);
    const wrong = `rg_${key.id}_${'A'.repeat(43)}`;
    const attacks = [31, 32, 33, 34, 35].map((n) => () => ask(proxied, `192.0.2.${n}`, wrong));
    expect(new Set(await statuses(attacks))).toEqual(new Set([401]));
    expect((await ask(proxied, '192.0.2.36', key.text)).status).toBe(200);
  });
});

describe('wrong API keys from one client address', () => {
  const bring = (key: string, from: string, server = proxied) =>
    server.fetch('/pdf/case/a0000000-0000-4000-8000-000000000101/report', {
      headers: { 'X-API-Key': key, 'X-Forwarded-For': from },
    });
  const guess = (from: string) => () =>
    bring(`rg_${randomBytes(6).toString('hex')}_${'A'.repeat(43)}`, from);

  test('are limited, after which right keys from this address are refused too', async () => {
    const { text } = await storeKey(owner, { scopes: ['admin'] });
    const right = (from: string) => () => bring(text, from);
    const mine = [guess('192.0.2.41'), right('192.0.2.41')];
    expect(await statuses([...mine, ...mine, ...mine])).toEqual([401, 403, 401, 403, 401, 403]);
    expect(await statuses([...mine, ...mine])).toEqual([429, 429, 429, 429]);
    expect(await statuses([right('192.0.2.42'), guess('192.0.2.42')])).toEqual([403, 401]);
    const refused = await bring(text, '192.0.2.41');
    expect(await refused.json()).toMatchObject({ code: 'too-many-requests' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('are counted by all servers together, separately from wrong secrets of other kinds', async () => {
    const { id } = await storeKey(owner);
    const wrong = `rg_${id}_${'A'.repeat(43)}`;
    const tries = [proxied, direct, proxied, direct, proxied].map(
      (server) => () => bring(wrong, '127.0.0.1', server),
    );
    expect(await statuses(tries)).toEqual([401, 401, 401, 429, 429]);
  });

  test('do not include keys that were right earlier, such as revoked ones', async () => {
    const { text, id } = await storeKey(owner);
    await revokeApiKey(owner, id);
    const revoked = times(rate + 2, () => bring(text, '192.0.2.43'));
    expect(new Set(await statuses(revoked))).toEqual(new Set([401]));
  });
});

describe('the rate limits of GraphQL operations', () => {
  const secretKey = 's'.repeat(40);
  const pool = () => openPool({ connectionString: database.superuserUrl, max: 1 });

  test('are counted by two servers together, and separately for each limit', async () => {
    const pools = [pool(), pool()];
    const [one, other] = pools.map((own) => makeSharedRates(own, secretKey));
    const rate = { requests: 2, seconds: 600 };
    const waits = [
      await one?.count('alice', rate),
      await other?.count('alice', rate),
      await one?.count('alice', rate),
      await other?.count('bob', rate),
      await one?.count('alice', { requests: 3, seconds: 600 }),
    ];
    await Promise.all(pools.map((own) => own.end()));
    expect(waits.map((wait) => Number(wait) > 0)).toEqual([false, false, true, false, false]);
    expect(waits[2]).toBeGreaterThan(500_000);
    const keys = await query(
      database.superuserUrl,
      "select key from rowgate_auth.rate_limit where key like 'operation:%'",
    );
    expect(keys).toHaveLength(3);
    expect(JSON.stringify(keys)).not.toMatch(/alice|bob/);
  });

  test('refuse operations while the database cannot count them', async () => {
    const away = openPool({ connectionString: 'postgres://nobody@127.0.0.1:1/none' });
    const counting = makeSharedRates(away, secretKey).count('a', { requests: 1, seconds: 1 });
    await expect(counting).rejects.toThrow();
    await away.end();
  });
});

describe('the counter of a rate limit', () => {
  const rates = { exchange: 2, tokens: 2 };
  const secretKey = 's'.repeat(40);
  const logger = pino({ level: 'silent' });
  const pools: pg.Pool[] = [];
  const limitsOn = (connectionString: string) => {
    const pool = openPool({ connectionString });
    pools.push(pool);
    return makeRateLimits({ pool, rates, secretKey, logger });
  };
  afterAll(() => Promise.all(pools.map((pool) => pool.end())));

  const points = async () => {
    const sum = 'select coalesce(sum(points), 0)::int as sum from rowgate_auth.rate_limit';
    return (await query(database.superuserUrl, sum))[0];
  };
  const tooMany = { problem: { status: 429 } };

  test('starts again after a minute', async () => {
    const limits = limitsOn(database.superuserUrl);
    await limits.byAccount('tokens', 'user:a');
    await query(database.superuserUrl, 'update rowgate_auth.rate_limit set expire = 1');
    await limits.byAccount('tokens', 'user:a');
    await limits.byAccount('tokens', 'user:a');
    await expect(limits.byAccount('tokens', 'user:a')).rejects.toMatchObject(tooMany);
    limits.close();
  });

  test('refuses further requests above the limit without querying the database', async () => {
    const limits = limitsOn(database.superuserUrl);
    await limits.byAccount('exchange', 'user:b');
    await limits.byAccount('exchange', 'user:b');
    const before = await points();
    const flood = times(50, 'user:b').map((who) => limits.byAccount('exchange', who));
    expect((await Promise.allSettled(flood)).every(({ status }) => status === 'rejected')).toBe(
      true,
    );
    expect(await points()).toEqual(before);
    limits.close();
  });

  test('counts sign-ins (token exchanges) separately from SDK tokens', async () => {
    const limits = limitsOn(database.superuserUrl);
    for (const kind of ['exchange', 'exchange', 'tokens', 'tokens'] as const) {
      await limits.byAccount(kind, 'user:c');
    }
    await expect(limits.byAccount('tokens', 'user:c')).rejects.toMatchObject(tooMany);
    limits.close();
  });

  test('refuses all requests while the database is down', async () => {
    const limits = limitsOn('postgres://nobody@127.0.0.1:1/nothing');
    const down = { problem: { status: 503, code: 'unavailable' } };
    await expect(limits.byAccount('tokens', 'user:d')).rejects.toMatchObject(down);
    limits.close();
  });
});
