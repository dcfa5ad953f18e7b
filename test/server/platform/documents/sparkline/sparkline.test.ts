import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeWorld, type World } from '../../accounts/support/world.ts';

const owner = 'local|alder-investor';
const otherPerson = 'local|birch-investor';
const colleague = 'local|alder-admin';
const organization = '00000000-0000-4000-8000-000000000001';

let world: World;
let wallet: string;
let number = 0;

beforeAll(async () => {
  world = await makeWorld({}, { graphql: false });
});
afterAll(() => world.end());
// Each test has its own wallet, because the server caches the picture of a wallet.
beforeEach(async () => {
  number += 1;
  wallet = `10000000-0000-4000-8000-00000000a${String(number).padStart(3, '0')}`;
  await world.sql(
    `insert into public.digital_wallet (id, organization_id, user_id, label, coin, balance)
     values ('${wallet}', '${organization}', '${owner}', 'Savings', 'DOT', 2)`,
  );
});

async function ask(
  query = '',
  { person = owner, headers = {}, id = wallet }: Asking = {},
): Promise<Response> {
  const authorization = `Bearer ${await world.issuer.tokenFor(person)}`;
  return world.server.fetch(`/wallets/${id}/sparkline${query}`, {
    headers: { Authorization: authorization, ...headers },
  });
}

interface Asking {
  readonly person?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly id?: string;
}

/** Makes the headers that a browser sends. Node's `fetch` would add a header that prevents a 304 answer. */
const ifNoneMatch = (etag: string) => ({ 'If-None-Match': etag, 'Cache-Control': 'max-age=0' });

const snapshot = (daysAgo: number, total: string) =>
  world.sql(
    `insert into public.portfolio_snapshot (organization_id, digital_wallet_id, taken_on, total_usd)
     values ('${organization}', '${wallet}', (now() at time zone 'UTC')::date - ${daysAgo}, ${total})`,
  );
const price = (age: string, amount: string, stale = false) =>
  world.sql(
    `delete from public.coin_price where coin = 'DOT'`,
    `insert into public.coin_price (coin, quoted_at, price, source, stale)
     values ('DOT', now() - interval '${age}', ${amount}, 'test', ${stale})`,
  );
const noPrice = () => world.sql(`delete from public.coin_price where coin = 'DOT'`);

describe("GET /wallets/{id}/sparkline, the picture of a wallet's value,", () => {
  test('returns an SVG with a description of the value', async () => {
    await noPrice();
    await snapshot(3, '100');
    await snapshot(1, '150');
    const answer = await ask();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'image/svg+xml; charset=utf-8',
    ]);
    const svg = await answer.text();
    expect(svg).toContain('<title>Savings (DOT), last 30 days in USD</title>');
    expect(svg).toMatch(/Rose by 50%: first US\$100.00 on .*, last US\$150.00 on /);
  });

  test('with format=base64 returns the same SVG within JSON', async () => {
    await snapshot(1, '100');
    const answer = await ask('?format=base64');
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const { contentType, data, ...more } = (await answer.json()) as Record<string, string>;
    expect([contentType, more]).toEqual(['image/svg+xml', {}]);
    const svg = await (await ask()).text();
    expect(Buffer.from(data ?? '', 'base64').toString('utf8')).toBe(svg);
  });

  test('covers the requested number of days', async () => {
    await noPrice();
    await snapshot(6, '20');
    await snapshot(7, '10');
    expect(await (await ask('?days=7')).text()).toContain('Only one day is known: US$20.00');
    expect(await (await ask('?days=8')).text()).toContain('Rose by 100%: first US$10.00');
  });

  test("ends with today's balance at a fresh price", async () => {
    await snapshot(1, '100');
    await price('2 hours', '25.005');
    expect(await (await ask()).text()).toContain('last US$50.01 on ');
  });

  test.each([
    ['too old', '25 hours', false],
    ['marked as stale', '1 hour', true],
    ['from the future', '-1 hour', false],
  ])('omits today when the price is %s', async (_case, age, stale) => {
    await snapshot(1, '100');
    await price(age, '25', stale);
    expect(await (await ask()).text()).toContain('Only one day is known: US$100.00');
  });

  test('contains the words "no data" when no value is known', async () => {
    await noPrice();
    const svg = await (await ask()).text();
    expect(svg).toContain('>no data</text>');
    expect(svg).not.toContain('<path');
  });

  test('uses only values of the requested wallet', async () => {
    await noPrice();
    const others = await world.sql(
      `select count(*)::int from public.portfolio_snapshot where digital_wallet_id <> '${wallet}'`,
    );
    expect(others).not.toEqual([{ count: 0 }]);
    expect(await (await ask('?days=365')).text()).toContain('No data for these 365 days.');
  });
});

describe('the picture of a wallet', () => {
  test('is refused to other people with the same answer as a wallet that does not exist', async () => {
    const missing = '10000000-0000-4000-8000-00000000ffff';
    const answers = [
      await ask('', { person: otherPerson }),
      await ask('', { person: colleague }),
      await ask('', { id: missing }),
      await ask('', { id: 'no-uuid' }),
      await ask('', { id: '10000000-0000-4000-8000-000000000101', person: colleague }),
    ];
    const bodies = await Promise.all(answers.map((answer) => answer.json()));
    const comparable = bodies.map((body) => ({ ...(body as object), requestId: '' }));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(new Set(comparable.map((one) => JSON.stringify(one))).size).toBe(1);
  });

  test('is refused without a sign-in', async () => {
    expect((await world.server.fetch(`/wallets/${wallet}/sparkline`)).status).toBe(401);
  });

  test('is refused to the previous owner after the wallet got another owner, although the picture is cached', async () => {
    await snapshot(1, '100');
    expect((await ask()).status).toBe(200);
    await world.sql(
      `update public.digital_wallet set user_id = '${colleague}' where id = '${wallet}'`,
    );
    expect((await ask()).status).toBe(404);
    expect((await ask('', { person: colleague })).status).toBe(200);
  });

  test('is refused to a disabled person, although the picture is cached', async () => {
    const person = 'local|alder-shareholder';
    await world.sql(
      `update public.digital_wallet set user_id = '${person}' where id = '${wallet}'`,
    );
    expect((await ask('', { person })).status).toBe(200);
    await world.sql(`update public."user" set status = 'disabled' where id = '${person}'`);
    expect((await ask('', { person })).status).toBe(401);
  });
});

describe('a request for the picture of a wallet', () => {
  test.each(['?days=6', '?days=366', '?days=', '?days=7.5', '?days=x', '?days=8&days=9'])(
    'is refused with the invalid number of days %s',
    async (query) => {
      const answer = await ask(query);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ code: 'bad-request' });
    },
  );

  test('is refused with another format than svg or base64', async () => {
    expect((await ask('?format=png')).status).toBe(400);
  });
});

describe('the picture of a wallet in caches', () => {
  test('may be stored for eight minutes, only by the client itself', async () => {
    const { headers } = await ask();
    expect(headers.get('cache-control')).toBe('private, max-age=480');
    expect(headers.get('vary')).toMatch(/cookie, authorization/i);
    expect(headers.get('age')).toMatch(/^[0-9]$/);
    expect(headers.get('etag')).toMatch(/^"[\w-]{43}"$/);
  });

  test('is answered 304 when the client has the current one', async () => {
    const etag = (await ask()).headers.get('etag') ?? '';
    const again = await ask('', { headers: ifNoneMatch(etag) });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect(again.headers.get('cache-control')).toBe('private, max-age=480');
    const other = await ask('?format=base64', { headers: ifNoneMatch(etag) });
    expect(other.status).toBe(200);
  });

  test("comes unchanged from the server's cache although the wallet has a new value", async () => {
    await noPrice();
    const first = await (await ask()).text();
    await snapshot(1, '100');
    expect(await (await ask()).text()).toBe(first);
    expect(await (await ask('?days=31')).text()).not.toBe(first);
  });
});

test('a failure of the database is answered 503 with Retry-After, and is not cached', async () => {
  await snapshot(1, '100');
  const series = 'rowgate_documents.wallet_series(uuid, text, integer)';
  await world.sql(`alter function ${series} rename to away`);
  const failed = await ask();
  expect([failed.status, failed.headers.get('retry-after')]).toEqual([503, '1']);
  expect(failed.headers.get('cache-control')).toBeNull();
  await world.sql(
    `alter function ${series.replace('wallet_series', 'away')} rename to wallet_series`,
  );
  expect((await ask()).status).toBe(200);
});

test('HEAD for the picture of a wallet returns headers without a body', async () => {
  const authorization = `Bearer ${await world.issuer.tokenFor(owner)}`;
  const answer = await world.server.fetch(`/wallets/${wallet}/sparkline`, {
    method: 'HEAD',
    headers: { Authorization: authorization },
  });
  expect([answer.status, await answer.text()]).toEqual([200, '']);
});
