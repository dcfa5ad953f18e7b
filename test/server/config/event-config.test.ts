import { expect, test } from 'vitest';
import { parseConfig } from '../../../server/config/config.ts';

const eventsOf = (environment: Readonly<Record<string, string>>) =>
  parseConfig(environment, '/somewhere').config.events;

test('by default events are stored for two weeks and metrics are not accessible', () => {
  expect(eventsOf({})).toMatchObject({
    webhookBaseUrl: undefined,
    retentionDays: 14,
    concurrency: 100,
    metricsTokens: [],
  });
});

test('two platform secrets are accepted for a rotation', () => {
  const [first, second] = ['s'.repeat(32), 't'.repeat(32)];
  expect(eventsOf({})).toMatchObject({ platformSecrets: [] });
  expect(eventsOf({ ROWGATE_PLATFORM_ADMIN_SECRET: `${first}, ${second}` })).toMatchObject({
    platformSecrets: [first, second],
  });
});

test('all settings are read', () => {
  const environment = {
    ROWGATE_WEBHOOK_BASE_URL: 'http://gateway.internal:5678/',
    ROWGATE_EVENT_RETENTION_DAYS: '30',
    ROWGATE_EVENT_CONCURRENCY: '20',
    ROWGATE_METRICS_TOKEN: 'new-token-of-the-metrics, old-token-of-the-metrics',
  };
  expect(eventsOf(environment)).toMatchObject({
    webhookBaseUrl: 'http://gateway.internal:5678',
    retentionDays: 30,
    concurrency: 20,
    metricsTokens: ['new-token-of-the-metrics', 'old-token-of-the-metrics'],
  });
});

test.each([
  ['ROWGATE_EVENT_RETENTION_DAYS', '0'],
  ['ROWGATE_EVENT_CONCURRENCY', '1'],
  ['ROWGATE_METRICS_TOKEN', 'short'],
  ['ROWGATE_WEBHOOK_BASE_URL', 'gateway.internal'],
])('%s=%s is rejected', (name, value) => {
  expect(() => eventsOf({ [name]: value })).toThrow(name);
});

test('a webhook may use any other variable', () => {
  expect(eventsOf({ HOOK_TOKEN: 'abc' }).variable('HOOK_TOKEN')).toBe('abc');
});

test.each(['ROWGATE_ADMIN_SECRET', 'DATABASE_URL', 'PGPASSWORD', 'NODE_ENV'])(
  'a webhook may not use %s',
  (name) => {
    const value = name === 'DATABASE_URL' ? 'postgres://a@b/c' : 'x'.repeat(40);
    expect(eventsOf({ [name]: value }).variable(name)).toBeUndefined();
  },
);
