import { expect, test } from 'vitest';
import { EnvironmentReader } from '../../../../server/config/environment.ts';
import { readTriggerConfig } from '../../../../server/platform/config/trigger-config.ts';

function read(environment: Readonly<Record<string, string>>) {
  const reader = new EnvironmentReader(environment);
  return { config: readTriggerConfig(reader), problems: reader.problems };
}

test('by default a new person gets wallets of three coins', () => {
  expect(read({}).config.defaultWallets).toEqual(['BTC', 'ETH', 'USDC']);
  expect(read({ ROWGATE_DEFAULT_WALLETS: 'SOL, EURC,SOL' }).config.defaultWallets).toEqual([
    'SOL',
    'EURC',
  ]);
});

test('a new person gets no wallets when the setting is none', () => {
  expect(read({ ROWGATE_DEFAULT_WALLETS: 'none' })).toMatchObject({
    config: { defaultWallets: [] },
    problems: [],
  });
});

test.each(['btc', 'BTC,none', 'B', 'BTC/USD'])(
  '%s is refused as the list of coins for new wallets',
  (coins) => {
    expect(read({ ROWGATE_DEFAULT_WALLETS: coins }).problems).toHaveLength(1);
  },
);

test('by default a transaction is reported as large from 10000 US dollars on', () => {
  expect(read({}).config.largeTransactionUsd).toBe(10_000);
  expect(read({ ROWGATE_LARGE_TRANSACTION_USD: '250000' }).config.largeTransactionUsd).toBe(
    250_000,
  );
});
