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
  world = await makeWorld();
});
afterAll(() => world.end());
// Each test has its own wallet, because pictures are cached.
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

/** Sends a request like a browser, because `fetch` adds a header against cached answers. */
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

describe('the picture', () => {
  test('is an SVG that describes the value of the wallet', async () => {
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

  test('is the same as JSON', async () => {
    await snapshot(1, '100');
    const answer = await ask('?format=base64');
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const { contentType, data, ...more } = (await answer.json()) as Record<string, string>;
    expect([contentType, more]).toEqual(['image/svg+xml', {}]);
    const svg = await (await ask()).text();
    expect(Buffer.from(data ?? '', 'base64').toString('utf8')).toBe(svg);
  });

  test('shows the requested number of days', async () => {
    await noPrice();
    await snapshot(6, '20');
    await snapshot(7, '10');
    expect(await (await ask('?days=7')).text()).toContain('Only one day is known: US$20.00');
    expect(await (await ask('?days=8')).text()).toContain('Rose by 100%: first US$10.00');
  });

  test('ends with the current balance at a fresh price', async () => {
    await snapshot(1, '100');
    await price('2 hours', '25.005');
    expect(await (await ask()).text()).toContain('last US$50.01 on ');
  });

  test.each([
    ['old', '25 hours', false],
    ['marked as stale', '1 hour', true],
    ['of the future', '-1 hour', false],
  ])('does not include today with a price that is %s', async (_case, age, stale) => {
    await snapshot(1, '100');
    await price(age, '25', stale);
    expect(await (await ask()).text()).toContain('Only one day is known: US$100.00');
  });

  test('says that there is no data', async () => {
    await noPrice();
    const svg = await (await ask()).text();
    expect(svg).toContain('>no data</text>');
    expect(svg).not.toContain('<path');
  });

  test('uses only snapshots of its own wallet', async () => {
    await noPrice();
    const others = await world.sql(
      `select count(*)::int from public.portfolio_snapshot where digital_wallet_id <> '${wallet}'`,
    );
    expect(others).not.toEqual([{ count: 0 }]);
    expect(await (await ask('?days=365')).text()).toContain('No data for these 365 days.');
  });
});

describe('the access to a picture', () => {
  test('is refused to others with the same answer as for an unknown wallet', async () => {
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

  test('requires a sign-in', async () => {
    expect((await world.server.fetch(`/wallets/${wallet}/sparkline`)).status).toBe(401);
  });

  test('ends when the wallet changes its owner, despite the cache', async () => {
    await snapshot(1, '100');
    expect((await ask()).status).toBe(200);
    await world.sql(
      `update public.digital_wallet set user_id = '${colleague}' where id = '${wallet}'`,
    );
    expect((await ask()).status).toBe(404);
    expect((await ask('', { person: colleague })).status).toBe(200);
  });

  test('is refused to a disabled person, despite the cache', async () => {
    const person = 'local|alder-shareholder';
    await world.sql(
      `update public.digital_wallet set user_id = '${person}' where id = '${wallet}'`,
    );
    expect((await ask('', { person })).status).toBe(200);
    await world.sql(`update public."user" set status = 'disabled' where id = '${person}'`);
    expect((await ask('', { person })).status).toBe(401);
  });
});

describe('the requested format', () => {
  test.each(['?days=6', '?days=366', '?days=', '?days=7.5', '?days=x', '?days=8&days=9'])(
    'is refused when it is %s',
    async (query) => {
      const answer = await ask(query);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ code: 'bad-request' });
    },
  );

  test('must be svg or base64', async () => {
    expect((await ask('?format=png')).status).toBe(400);
  });
});

describe('caches', () => {
  test('of clients may keep the picture privately, for eight minutes', async () => {
    const { headers } = await ask();
    expect(headers.get('cache-control')).toBe('private, max-age=480');
    expect(headers.get('vary')).toMatch(/cookie, authorization/i);
    expect(headers.get('age')).toMatch(/^[0-9]$/);
    expect(headers.get('etag')).toMatch(/^"[\w-]{43}"$/);
  });

  test('of clients are told when their picture is current', async () => {
    const etag = (await ask()).headers.get('etag') ?? '';
    const again = await ask('', { headers: ifNoneMatch(etag) });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect(again.headers.get('cache-control')).toBe('private, max-age=480');
    const other = await ask('?format=base64', { headers: ifNoneMatch(etag) });
    expect(other.status).toBe(200);
  });

  test('of this server keep the picture', async () => {
    await noPrice();
    const first = await (await ask()).text();
    await snapshot(1, '100');
    expect(await (await ask()).text()).toBe(first);
    expect(await (await ask('?days=31')).text()).not.toBe(first);
  });
});

test('a failure of the database is reported as temporary, and is not cached', async () => {
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

test('a HEAD request gets only headers', async () => {
  const authorization = `Bearer ${await world.issuer.tokenFor(owner)}`;
  const answer = await world.server.fetch(`/wallets/${wallet}/sparkline`, {
    method: 'HEAD',
    headers: { Authorization: authorization },
  });
  expect([answer.status, await answer.text()]).toEqual([200, '']);
});
