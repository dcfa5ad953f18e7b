import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { JobConfig } from '../../../../server/platform/config/job-config.ts';
import { coinPricesJob } from '../../../../server/platform/jobs/market/coin-prices-job.ts';
import { context, type JobsWorld, makeJobsWorld } from './support/jobs-world.ts';
import {
  binanceSays,
  coinbaseSays,
  coingeckoSays,
  type FakeSource,
  krakenSays,
  saying,
  startSource,
} from './support/sources.ts';

let world: JobsWorld;
let coinbase: FakeSource;
let kraken: FakeSource;
let binance: FakeSource;
let coingecko: FakeSource;

beforeAll(async () => {
  world = await makeJobsWorld();
  [coinbase, kraken, binance, coingecko] = await Promise.all([
    startSource(),
    startSource(),
    startSource(),
    startSource(),
  ]);
});

afterAll(async () => {
  for (const source of [coinbase, kraken, binance, coingecko]) await source?.stop();
  await world?.end();
});

beforeEach(async () => {
  await world.sql('truncate public.coin_price');
  coinbase.answer = coinbaseSays({});
  kraken.answer = krakenSays({});
  binance.answer = binanceSays({});
  coingecko.answer = coingeckoSays({});
});

const everybody = ['coinbase', 'kraken', 'binance', 'coingecko'] as const;

function sync(
  names: readonly (typeof everybody)[number][] = everybody,
  more: Partial<JobConfig> = {},
) {
  const urls = { coinbase, kraken, binance, coingecko };
  const config: JobConfig = {
    priceSources: names.map((name) => ({ name, baseUrl: urls[name].url })),
    priceCoins: [],
    priceQuorum: 1,
    rateSources: [],
    ...more,
  };
  return coinPricesJob(world.pool, config).run(context());
}

function prices() {
  return world.sql<{ coin: string; price: string; source: string; source_count: number }>(
    `select coin, pg_catalog.trim_scale(price)::text as price, source, source_count
     from public.coin_price order by coin, quoted_at`,
  );
}

test('the coin price job stores the median of four sources, half-way between the two in the middle', async () => {
  coinbase.answer = coinbaseSays({ BTC: '97000.01' });
  kraken.answer = krakenSays({ XBTUSD: '97000.10000' });
  binance.answer = binanceSays({ BTCUSD: '97000.03000000' });
  coingecko.answer = coingeckoSays({ bitcoin: '97000.3358936566' });
  expect((await sync()).ok).toBe(true);
  expect(await prices()).toEqual([
    { coin: 'BTC', price: '97000.065', source: 'median', source_count: 4 },
  ]);
});

test('the coin price job ignores a source that differs from the others by more than a tenth', async () => {
  coinbase.answer = coinbaseSays({ ETH: '3000' });
  kraken.answer = krakenSays({ ETHUSD: '3010' });
  binance.answer = binanceSays({ ETHUSD: '3.01' });
  await sync();
  expect(await prices()).toEqual([
    { coin: 'ETH', price: '3005', source: 'median', source_count: 2 },
  ]);
});

test('the coin price job stores no price when two sources contradict each other', async () => {
  coinbase.answer = coinbaseSays({ ETH: '3000' });
  kraken.answer = krakenSays({ ETHUSD: '4000' });
  const { detail } = await sync();
  expect(await prices()).toEqual([]);
  expect(detail.refused).toEqual(['ETH']);
});

test('the coin price job stores no price when three sources all contradict each other', async () => {
  coinbase.answer = coinbaseSays({ ETH: '2000' });
  kraken.answer = krakenSays({ ETHUSD: '3000' });
  binance.answer = binanceSays({ ETHUSD: '4000' });
  await sync();
  expect(await prices()).toEqual([]);
});

test('the coin price job stores no price when fewer sources answer than the configured quorum', async () => {
  coinbase.answer = coinbaseSays({ BTC: '97000', ETH: '3000' });
  kraken.answer = krakenSays({ ETHUSD: '3000' });
  await sync(everybody, { priceQuorum: 2 });
  expect((await prices()).map(({ coin }) => coin)).toEqual(['ETH']);
});

test('the coin price job stores all digits of a price, whether the source sends a text or a number', async () => {
  coinbase.answer = coinbaseSays({ BTC: '97123.123456789012345678' });
  coingecko.answer = coingeckoSays({ ethereum: '3000.123456789012345678', solana: '1.5e-7' });
  await sync();
  expect((await prices()).map(({ price }) => price)).toEqual([
    '97123.123456789012345678',
    '3000.123456789012345678',
    '0.00000015',
  ]);
});

test('the coin price job stores the name of the source when only one is configured', async () => {
  kraken.answer = krakenSays({ XBTUSD: '97000' });
  await sync();
  expect(await prices()).toEqual([
    { coin: 'BTC', price: '97000', source: 'kraken', source_count: 1 },
  ]);
});

test('a source that redirects, or whose answer is invalid or too large, does not affect the prices of the others', async () => {
  const elsewhere = await startSource(coinbaseSays({ BTC: '90000' }));
  coinbase.answer = ({ url }, response) =>
    response.writeHead(302, { location: `${elsewhere.url}${url}` }).end();
  kraken.answer = saying('<html>not now</html>');
  const long = `{"symbol":"BTCUSD",${' '.repeat(1024 * 1024)}"price":"90000"}`;
  binance.answer = saying(long);
  coingecko.answer = coingeckoSays({ bitcoin: '97000' });
  const { ok, detail } = await sync();
  expect(ok).toBe(true);
  expect(detail.failures).toEqual({
    coinbase: expect.stringMatching(/: the source answered with status 302$/),
    kraken: expect.stringContaining('JSON'),
    binance: expect.stringMatching(/: the answer is larger than 1 MiB$/),
  });
  expect(elsewhere.requests).toEqual([]);
  expect(await prices()).toEqual([
    { coin: 'BTC', price: '97000', source: 'coingecko', source_count: 1 },
  ]);
  await elsewhere.stop();
});

test('a source that cannot be reached does not affect the prices of the others', async () => {
  const gone = await startSource();
  await gone.stop();
  kraken.answer = krakenSays({ XBTUSD: '97000' });
  const { ok, detail } = await sync([], {
    priceSources: [
      { name: 'coinbase', baseUrl: gone.url },
      { name: 'kraken', baseUrl: kraken.url },
    ],
  });
  expect(ok).toBe(true);
  expect(detail).toMatchObject({
    stored: 1,
    failures: { coinbase: expect.stringContaining('ECONNREFUSED') },
  });
});

test.each(['0', '-1', '0.000', 'NaN', 'Infinity', '1e999', '', '12,5', '0x10'])(
  'the coin price job ignores the invalid price "%s"',
  async (price) => {
    coinbase.answer = coinbaseSays({ BTC: price });
    const { ok } = await sync();
    expect(await prices()).toEqual([]);
    expect(ok).toBe(false);
  },
);

test('the coin price job stores no price from a trade that is an hour old', async () => {
  const anHourAgo = Date.now() - 3_600_000;
  coinbase.answer = coinbaseSays({ BTC: '90000' }, new Date(anHourAgo));
  coingecko.answer = coingeckoSays({ bitcoin: '90000' }, anHourAgo);
  await sync();
  expect(await prices()).toEqual([]);
});

test('the coin price job fetches configured coins besides those that wallets hold', async () => {
  coinbase.answer = coinbaseSays({ DOGE: '0.35' });
  await sync(['coinbase'], { priceCoins: ['DOGE'] });
  expect(await prices()).toEqual([
    { coin: 'DOGE', price: '0.35', source: 'coinbase', source_count: 1 },
  ]);
});

test('without configured sources the coin price job sends no request, and its result contains the reason', async () => {
  coinbase.requests.length = 0;
  const { ok, detail } = await sync([]);
  expect(ok).toBe(true);
  expect(detail.note).toContain('ROWGATE_PRICE_SOURCES');
  expect(coinbase.requests).toEqual([]);
});

test('only the newest price of a coin is marked stale, and only after half an hour', async () => {
  await world.sql(
    `insert into public.coin_price (coin, currency, quoted_at, price, source) values
       ('BTC', 'USD', now() - interval '2 hours', 1, 'kraken'),
       ('BTC', 'USD', now() - interval '31 minutes', 2, 'kraken'),
       ('ETH', 'USD', now() - interval '29 minutes', 3, 'kraken')`,
  );
  const { detail } = await sync([]);
  expect(detail.marked_stale).toEqual(['BTC']);
  expect(
    await world.sql(`select price::integer, stale from public.coin_price order by price`),
  ).toEqual([
    { price: 1, stale: false },
    { price: 2, stale: true },
    { price: 3, stale: false },
  ]);
});

test('a new price changes the dollar value of wallets, and wallets whose value stays the same are not written', async () => {
  const id = '10000000-0000-4000-8000-000000000101';
  await world.sql(
    `update public.digital_wallet set balance = 0.123456789, usd_value = 0 where id = '${id}'`,
  );
  kraken.answer = krakenSays({ XBTUSD: '81000.5' });
  await sync(['kraken']);
  const [wallet] = await world.sql<{ usd_value: string }>(
    `select usd_value from public.digital_wallet where id = '${id}'`,
  );
  // 0.123456789 × 81000.5 = 10000.0616373945
  expect(wallet?.usd_value).toBe('10000.06');
  const { detail } = await sync(['kraken']);
  expect(detail.wallets_changed).toBe(0);
});
