import { tmpdir } from 'node:os';
import pino from 'pino';
import { expect, test } from 'vitest';
import { parseConfig } from '../../../../server/config/config.ts';
import type { Dialect } from '../../../../server/graphql/handle-request.ts';
import type { CompiledSubscription } from '../../../../server/graphql/subscriptions/compile-subscription.ts';
import { Subscriptions } from '../../../../server/graphql/subscriptions/subscriptions.ts';
import { FakeQuery, FakeReceiver, FakeSource, share } from './support/fakes.ts';

test('the caller of a connection whose only subscription was refused is not identified again', async () => {
  const { config } = parseConfig({}, tmpdir());
  const dialect = {} as Dialect;
  const subscriptions = new Subscriptions({
    config: { ...config.subscriptions, maxCohorts: 0 },
    source: new FakeSource(),
    dialect: () => dialect,
    registry: undefined,
    logger: pino({ level: 'silent' }),
  });
  let identified = 0;
  const connection = {
    request: () => {
      identified += 1;
      return Promise.reject(new Error('the connection is closed'));
    },
    ...{ accept: () => {}, refuse: () => {}, drain: () => {} },
  };
  const compiled = {
    operation: new FakeQuery(),
    request: {},
    share,
    dialect,
  } as unknown as CompiledSubscription;
  expect(() => subscriptions.open(connection, compiled, new FakeReceiver())).toThrow('as it may');
  await subscriptions.recheck();
  expect(identified).toBe(0);
  await subscriptions.close();
});
