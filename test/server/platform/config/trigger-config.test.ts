import { expect, test } from 'vitest';
import { EnvironmentReader } from '../../../../server/config/environment.ts';
import { readTriggerConfig } from '../../../../server/platform/config/trigger-config.ts';

function read(environment: Readonly<Record<string, string>>) {
  const reader = new EnvironmentReader(environment);
  return { config: readTriggerConfig(reader), problems: reader.problems };
}

test('a new person gets wallets of three coins by default', () => {
  expect(read({}).config.defaultWallets).toEqual(['BTC', 'ETH', 'USDC']);
  expect(read({ ROWGATE_DEFAULT_WALLETS: 'SOL, EURC,SOL' }).config.defaultWallets).toEqual([
    'SOL',
    'EURC',
  ]);
});

test('none means no wallets', () => {
  expect(read({ ROWGATE_DEFAULT_WALLETS: 'none' })).toMatchObject({
    config: { defaultWallets: [] },
    problems: [],
  });
});

test.each(['btc', 'BTC,none', 'B', 'BTC/USD'])('%s is not a list of coins', (coins) => {
  expect(read({ ROWGATE_DEFAULT_WALLETS: coins }).problems).toHaveLength(1);
});

test('a transaction is large from 10000 US dollars on by default', () => {
  expect(read({}).config.largeTransactionUsd).toBe(10_000);
  expect(read({ ROWGATE_LARGE_TRANSACTION_USD: '250000' }).config.largeTransactionUsd).toBe(
    250_000,
  );
});
