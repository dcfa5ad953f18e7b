import pino from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addQuoteMetrics } from '../../../../server/platform/jobs/market/quote-metrics.ts';
import { reportNoSources } from '../../../../server/platform/jobs/market/report-no-sources.ts';
import { LogCapture } from '../../../support/log-capture.ts';
import { parsePlatformConfig } from '../../../support/platform.ts';
import { type JobsWorld, makeJobsWorld } from './support/jobs-world.ts';

let world: JobsWorld;

beforeAll(async () => {
  world = await makeJobsWorld();
  await world.sql(
    'truncate public.coin_price, public.currency_rate',
    `insert into public.coin_price (coin, quoted_at, price, source, source_count) values
      ('BTC', now() - interval '2 hours', 100, 'kraken', 1),
      ('BTC', now() - interval '1 hour', 200.5, 'median', 2),
      ('BTC', now() + interval '1 hour', 300, 'kraken', 1),
      ('ETH', now() - interval '3 hours', 20, 'coinbase', 1)`,
    `insert into public.currency_rate (base_currency, quote_currency, quoted_at, rate, source) values
      ('EUR', 'USD', now() - interval '1 day', 1.25, 'ecb')`,
  );
});
afterAll(() => world?.end());

test('/metrics has the newest value of each pair with its source and age, and none of the future', async () => {
  const registry = new Registry();
  addQuoteMetrics({ registry, pool: world.pool, logger: pino({ level: 'silent' }) });
  const text = await registry.metrics();
  const values = text.split('\n').filter((line) => line.startsWith('rowgate_quote{'));
  expect(values).toEqual([
    'rowgate_quote{pair="BTC/USD",source="median"} 200.5',
    'rowgate_quote{pair="ETH/USD",source="coinbase"} 20',
    'rowgate_quote{pair="EUR/USD",source="ecb"} 1.25',
  ]);
  expect(text).toMatch(/^rowgate_quote_age_seconds\{pair="BTC\/USD",source="median"\} 36\d\d/m);
  expect(text).toMatch(/^rowgate_quote_age_seconds\{pair="EUR\/USD",source="ecb"\} 864\d\d/m);
});

test.each([
  [
    {},
    'coin prices and currency rates are not fetched; ROWGATE_PRICE_SOURCES=default and ROWGATE_RATE_SOURCES=default turn it on',
  ],
  [
    { ROWGATE_PRICE_SOURCES: 'default' },
    'currency rates are not fetched; ROWGATE_RATE_SOURCES=default turns it on',
  ],
])('with %o the start reports in one line what is not fetched', (environment, message) => {
  const lines = new LogCapture();
  const { config } = parsePlatformConfig(environment, '/srv/app');
  reportNoSources(config.jobs, pino(lines));
  expect(JSON.parse(lines.text)).toMatchObject({ msg: message });
});

test('with both sources the start reports nothing', () => {
  const lines = new LogCapture();
  const environment = { ROWGATE_PRICE_SOURCES: 'default', ROWGATE_RATE_SOURCES: 'default' };
  reportNoSources(parsePlatformConfig(environment, '/srv/app').config.jobs, pino(lines));
  expect(lines.text).toBe('');
});
