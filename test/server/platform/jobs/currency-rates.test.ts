import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { currencyRatesJob } from '../../../../server/platform/jobs/market/currency-rates-job.ts';
import { parseEuroRates } from '../../../../server/platform/jobs/market/ecb.ts';
import { context, type JobsWorld, makeJobsWorld } from './support/jobs-world.ts';
import { ecbSays, type FakeSource, saying, startSource } from './support/sources.ts';

let world: JobsWorld;
let bank: FakeSource;

beforeAll(async () => {
  world = await makeJobsWorld();
  bank = await startSource();
});

afterAll(async () => {
  await bank?.stop();
  await world?.end();
});

beforeEach(async () => {
  bank.requests.length = 0;
  await world.sql('truncate public.currency_rate');
});

function sync() {
  const rateSources = [{ name: 'ecb', baseUrl: bank.url }] as const;
  const config = { priceSources: [], priceCoins: [], priceQuorum: 1, rateSources };
  return currencyRatesJob(world.pool, config).run(context());
}

function rates() {
  return world.sql<{ pair: string; rate: string; at: string }>(
    `select base_currency || '/' || quote_currency as pair, pg_catalog.trim_scale(rate)::text as rate,
       pg_catalog.to_char(quoted_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as at
     from public.currency_rate order by base_currency, quote_currency`,
  );
}

test('the currency rate job stores euro rates unchanged, and the dollar rates computed from them', async () => {
  bank.answer = saying(ecbSays('2026-07-01', { USD: '1.25', GBP: '0.8', JPY: '160' }));
  expect((await sync()).ok).toBe(true);
  expect(bank.requests).toEqual(['/stats/eurofxref/eurofxref-daily.xml']);
  // The rates are published at 14:10 in Frankfurt, which is 12:10 UTC in summer.
  expect(await rates()).toEqual([
    { pair: 'EUR/GBP', rate: '0.8', at: '2026-07-01 12:10' },
    { pair: 'EUR/JPY', rate: '160', at: '2026-07-01 12:10' },
    { pair: 'EUR/USD', rate: '1.25', at: '2026-07-01 12:10' },
    { pair: 'GBP/USD', rate: '1.5625', at: '2026-07-01 12:10' },
    { pair: 'JPY/USD', rate: '0.0078125', at: '2026-07-01 12:10' },
  ]);
});

test('the currency rate job changes nothing for a day that it has stored before', async () => {
  bank.answer = saying(ecbSays('2026-01-15', { USD: '1.25', GBP: '0.8' }));
  await sync();
  expect((await rates())[0]?.at).toBe('2026-01-15 13:10');
  bank.answer = saying(ecbSays('2026-01-15', { USD: '9', GBP: '9' }));
  expect((await sync()).detail.stored).toBe(0);
  expect((await rates()).map(({ rate }) => rate)).toEqual(['0.8', '1.25', '1.5625']);
});

test('the newest currency rates are marked stale after four days', async () => {
  await world.sql(
    `insert into public.currency_rate (base_currency, quote_currency, quoted_at, rate, source) values
       ('EUR', 'USD', now() - interval '10 days', 1, 'ecb'),
       ('EUR', 'USD', now() - interval '97 hours', 2, 'ecb'),
       ('EUR', 'GBP', now() - interval '95 hours', 3, 'ecb')`,
  );
  bank.answer = saying('', 503);
  const { ok, detail } = await sync();
  expect(ok).toBe(false);
  expect(detail).toMatchObject({
    failures: { ecb: 'the source answered with status 503' },
    marked_stale: ['EUR/USD'],
  });
});

test("external entities in the bank's XML are neither fetched nor expanded", async () => {
  const document = ecbSays('2026-01-15', { USD: '&x;', GBP: '0.8' });
  const withEntities = (declared: string) => document.replace('?>', `?><!DOCTYPE r [${declared}]>`);
  const secret = await startSource(saying('1.25'));
  bank.answer = saying(withEntities(`<!ENTITY x SYSTEM "${secret.url}/secret">`));
  expect((await sync()).detail.failures).toEqual({
    ecb: 'the document declares a type or entities',
  });
  expect(secret.requests).toEqual([]);
  await secret.stop();
  const lols = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`);
  const bomb = withEntities(`<!ENTITY l0 "lol">${lols.join('')}<!ENTITY x "&l9;">`);
  expect(() => parseEuroRates(bomb)).toThrow('declares a type or entities');
  expect(await rates()).toEqual([]);
});

test.each([
  ['a rate of zero', ecbSays('2026-01-15', { USD: '0.0', GBP: '1' })],
  ['a negative rate', ecbSays('2026-01-15', { USD: '-1.1', GBP: '1' })],
  ['a rate that is no number', ecbSays('2026-01-15', { USD: 'NaN', GBP: '1' })],
  ['an undeclared entity', ecbSays('2026-01-15', { USD: '&amp;', GBP: '1' })],
  ['a currency that is none', ecbSays('2026-01-15', { 'x"y': '1', GBP: '1' })],
  ['a day that is none', ecbSays('2026-02-30', { USD: '1', GBP: '1' })],
  ['a day to come', ecbSays('2126-01-15', { USD: '1', GBP: '1' })],
  ['no rates', ecbSays('2026-01-15', {})],
  ['a page', '<html><body>We are closed</body></html>'],
  ['nothing', ''],
])("the bank's document is refused as a whole when it is %s", (_name, document) => {
  expect(() => parseEuroRates(document)).toThrow();
});
