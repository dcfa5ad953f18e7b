import type { EnvironmentReader } from './environment.ts';

/** The limits of subscriptions. */
export interface SubscriptionConfig {
  /** Maximum open subscriptions of this process; default 20,000. 0 refuses subscriptions. */
  readonly max: number;
  /** Maximum open subscriptions of one caller; default 100. */
  readonly maxPerCaller: number;
  /** Maximum open subscriptions of one socket; default 50. */
  readonly maxPerSocket: number;
  /** Maximum different live queries of this process; default 5000. */
  readonly maxCohorts: number;
  /** Maximum database connections for fetches; default 4. They are opened when they are needed. */
  readonly poolSize: number;
  /** Maximum fetches of one role that begin in a second; default 1000. One caller may begin half as many. */
  readonly refetchesPerSecond: number;
  /** Minimum milliseconds between two fetches of a live query; default 20. The number of its subscribers adds to it. */
  readonly gapMs: number;
  /** Milliseconds between two fetches of a live query that can change without a report; default 5 s. */
  readonly pollMs: number;
  /** Milliseconds between two fetches of any other live query without a report; default 60 s. */
  readonly floorPollMs: number;
  /** Milliseconds between two checks of the caller of a subscription; default 30 s. */
  readonly recheckMs: number;
}

const defaults = {
  max: 20_000,
  maxPerCaller: 100,
  maxPerSocket: 50,
  maxCohorts: 5000,
  poolSize: 4,
  refetchesPerSecond: 1000,
  gapMs: 20,
  pollSeconds: 5,
  floorPollSeconds: 60,
  recheckSeconds: 30,
} as const;

/** The largest number that a setting may have. */
const maxCount = 1_000_000;

/** Reads the limits of subscriptions. Problems are collected in `read`, so that all are reported together. */
export function readSubscriptionConfig(read: EnvironmentReader): SubscriptionConfig {
  const poll = read.integer('ROWGATE_SUBSCRIPTION_POLL', 1, 3600);
  const floorPoll = read.integer('ROWGATE_SUBSCRIPTION_FLOOR_POLL', 1, 3600);
  const recheck = read.integer('ROWGATE_SUBSCRIPTION_RECHECK', 1, 3600);
  const config = {
    max: read.integer('ROWGATE_MAX_SUBSCRIPTIONS', 0, maxCount) ?? defaults.max,
    maxPerCaller:
      read.integer('ROWGATE_MAX_SUBSCRIPTIONS_PER_CALLER', 1, maxCount) ?? defaults.maxPerCaller,
    maxPerSocket:
      read.integer('ROWGATE_MAX_SUBSCRIPTIONS_PER_SOCKET', 1, maxCount) ?? defaults.maxPerSocket,
    maxCohorts: read.integer('ROWGATE_MAX_LIVE_QUERIES', 1, maxCount) ?? defaults.maxCohorts,
    poolSize: read.integer('ROWGATE_SUBSCRIPTION_POOL_SIZE', 1, 1000) ?? defaults.poolSize,
    refetchesPerSecond:
      read.integer('ROWGATE_REFETCHES_PER_SECOND', 1, maxCount) ?? defaults.refetchesPerSecond,
    gapMs: read.integer('ROWGATE_REFETCH_GAP_MS', 0, 60_000) ?? defaults.gapMs,
    pollMs: 1000 * (poll ?? defaults.pollSeconds),
    floorPollMs: 1000 * (floorPoll ?? defaults.floorPollSeconds),
    recheckMs: 1000 * (recheck ?? defaults.recheckSeconds),
  };
  if (config.max === 0) refuseWithoutEffect(read);
  return config;
}

const dependent = [
  'ROWGATE_MAX_SUBSCRIPTIONS_PER_CALLER',
  'ROWGATE_MAX_SUBSCRIPTIONS_PER_SOCKET',
  'ROWGATE_MAX_LIVE_QUERIES',
  'ROWGATE_SUBSCRIPTION_POOL_SIZE',
  'ROWGATE_REFETCHES_PER_SECOND',
  'ROWGATE_REFETCH_GAP_MS',
  'ROWGATE_SUBSCRIPTION_POLL',
  'ROWGATE_SUBSCRIPTION_FLOOR_POLL',
  'ROWGATE_SUBSCRIPTION_RECHECK',
];

function refuseWithoutEffect(read: EnvironmentReader): void {
  for (const name of dependent) {
    if (read.text(name) === undefined) continue;
    read.complain(name, 'has no effect, because ROWGATE_MAX_SUBSCRIPTIONS is 0; leave it out');
  }
}
