import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { parseConfig } from '../../../server/config/config.ts';

test('the settings of subscriptions are refused where they have no effect', () => {
  const environment = { ROWGATE_MAX_SUBSCRIPTIONS: '0', ROWGATE_SUBSCRIPTION_POLL: '3' };
  expect(() => parseConfig(environment, tmpdir())).toThrow(
    'ROWGATE_SUBSCRIPTION_POLL has no effect, because ROWGATE_MAX_SUBSCRIPTIONS is 0; leave it out',
  );
});

test('seconds in the settings of subscriptions become milliseconds', () => {
  const { subscriptions } = parseConfig({ ROWGATE_SUBSCRIPTION_POLL: '3' }, tmpdir()).config;
  expect(subscriptions).toMatchObject({ pollMs: 3000, floorPollMs: 60_000, recheckMs: 30_000 });
});
