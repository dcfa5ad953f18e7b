import { expect, test } from 'vitest';
import type { ProcessError } from '../../../../server/errors.ts';
import { parsePlatformConfig } from '../../../support/platform.ts';

function read(environment: Readonly<Record<string, string>>) {
  return parsePlatformConfig(environment, '/srv/app').config.jobs;
}

function problem(environment: Readonly<Record<string, string>>): string {
  try {
    read(environment);
  } catch (error) {
    return (error as ProcessError).message.split('\n').slice(1).join('\n');
  }
  throw new Error('nothing was wrong with it');
}

test('coin prices are fetched only from configured sources', () => {
  expect(read({})).toEqual({ priceSources: [], priceCoins: [], priceQuorum: 1, rateSources: [] });
});

test('the setting of price sources is a list of names, each with an optional address', () => {
  expect(
    read({
      ROWGATE_PRICE_SOURCES: 'coinbase, kraken=https://proxy.example.com/kraken/,binance',
      ROWGATE_PRICE_QUORUM: '2',
      ROWGATE_PRICE_COINS: 'BTC,ETH',
      ROWGATE_RATE_SOURCES: 'ecb=http://127.0.0.1:8080',
    }),
  ).toEqual({
    priceSources: [
      { name: 'coinbase', baseUrl: undefined },
      { name: 'kraken', baseUrl: 'https://proxy.example.com/kraken' },
      { name: 'binance', baseUrl: undefined },
    ],
    priceCoins: ['BTC', 'ETH'],
    priceQuorum: 2,
    rateSources: [{ name: 'ecb', baseUrl: 'http://127.0.0.1:8080' }],
  });
});

test('default names a set of sources, of which two must agree', () => {
  const own = (name: string) => ({ name, baseUrl: undefined });
  const environment = { ROWGATE_PRICE_SOURCES: 'default', ROWGATE_RATE_SOURCES: 'default' };
  expect(read(environment)).toEqual({
    priceSources: ['coinbase', 'kraken', 'coingecko'].map(own),
    priceCoins: [],
    priceQuorum: 2,
    rateSources: [own('ecb')],
  });
  expect(read({ ...environment, ROWGATE_PRICE_QUORUM: '3' }).priceQuorum).toBe(3);
});

test.each([
  ['ROWGATE_PRICE_SOURCES', 'default,kraken', 'names "default"; there are coinbase,'],
  ['ROWGATE_PRICE_SOURCES', 'bitstamp', 'names "bitstamp"; there are coinbase, kraken,'],
  ['ROWGATE_PRICE_SOURCES', 'kraken=ftp://example.com', 'names "kraken=ftp://example.com"'],
  ['ROWGATE_PRICE_SOURCES', 'kraken=https://a.example.com?x', 'names "kraken='],
  ['ROWGATE_PRICE_SOURCES', 'kraken,kraken=https://a.example.com', 'names a source twice'],
  ['ROWGATE_RATE_SOURCES', 'kraken', 'names "kraken"; there are ecb, each also as ecb=https://…'],
  ['ROWGATE_PRICE_COINS', 'BTC,bitcoin', 'names "bitcoin"; it must hold tickers like BTC'],
  ['ROWGATE_PRICE_QUORUM', '0', 'is "0"; it must be a whole number from 1 to 4'],
])('the job setting %s=%s is refused with a message', (name, value, sentence) => {
  expect(problem({ [name]: value })).toContain(`${name} ${sentence}`);
});

test('a price quorum above the number of sources is refused', () => {
  expect(problem({ ROWGATE_PRICE_SOURCES: 'kraken', ROWGATE_PRICE_QUORUM: '2' })).toContain(
    'ROWGATE_PRICE_QUORUM is 2, but ROWGATE_PRICE_SOURCES names 1',
  );
});
