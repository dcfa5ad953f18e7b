import type { EnvironmentReader } from '../../config/environment.ts';

/** The settings of event triggers. */
export interface TriggerConfig {
  /** Tickers of the coins for which a new person gets a wallet; default BTC, ETH and USDC. */
  readonly defaultWallets: readonly string[];
  /** The minimum value in US dollars of a transaction that is reported to compliance; default 10000. */
  readonly largeTransactionUsd: number;
}

const defaults = {
  defaultWallets: ['BTC', 'ETH', 'USDC'],
  largeTransactionUsd: 10_000,
} as const satisfies TriggerConfig;

/** Reads the settings of event triggers. Problems are collected in `read`, so that all are reported together. */
export function readTriggerConfig(read: EnvironmentReader): TriggerConfig {
  return {
    defaultWallets: readCoins(read),
    largeTransactionUsd:
      read.integer('ROWGATE_LARGE_TRANSACTION_USD', 1, 1_000_000_000_000) ??
      defaults.largeTransactionUsd,
  };
}

function readCoins(read: EnvironmentReader): readonly string[] {
  const entries = read.list('ROWGATE_DEFAULT_WALLETS');
  if (entries.length === 0) return defaults.defaultWallets;
  if (entries.length === 1 && entries[0] === 'none') return [];
  for (const entry of entries) {
    // The same pattern as the check constraint of the table of wallets, so that an invalid setting fails at the start
    // and not when a wallet is created.
    if (/^[A-Z0-9]{2,12}$/.test(entry)) continue;
    read.complain(
      'ROWGATE_DEFAULT_WALLETS',
      `names "${entry}"; it must hold tickers like BTC, ETH, or be none`,
    );
  }
  return [...new Set(entries)];
}
