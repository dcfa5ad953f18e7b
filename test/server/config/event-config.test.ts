import { expect, test } from 'vitest';
import { parseConfig } from '../../../server/config/config.ts';

const eventsOf = (environment: Readonly<Record<string, string>>) =>
  parseConfig(environment, '/somewhere').config.events;

test('by default stored events are kept for two weeks, and GET /metrics is refused', () => {
  expect(eventsOf({})).toMatchObject({
    webhookBaseUrl: undefined,
    retentionDays: 14,
    concurrency: 100,
    metricsTokens: [],
  });
});

test('the configuration accepts two platform secrets, so that a secret can be replaced without a pause', () => {
  const [first, second] = ['s'.repeat(32), 't'.repeat(32)];
  expect(eventsOf({})).toMatchObject({ platformSecrets: [] });
  expect(eventsOf({ ROWGATE_PLATFORM_ADMIN_SECRET: `${first}, ${second}` })).toMatchObject({
    platformSecrets: [first, second],
  });
});

test('the configuration contains all settings of event delivery', () => {
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
])('the configuration rejects %s=%s', (name, value) => {
  expect(() => eventsOf({ [name]: value })).toThrow(name);
});

test('the URL or header of a webhook may use any environment variable that is no setting of the server', () => {
  expect(eventsOf({ HOOK_TOKEN: 'abc' }).variable('HOOK_TOKEN')).toBe('abc');
});

test.each(['ROWGATE_ADMIN_SECRET', 'DATABASE_URL', 'PGPASSWORD', 'NODE_ENV'])(
  'the URL or header of a webhook may not use %s, a setting of the server',
  (name) => {
    const value = name === 'DATABASE_URL' ? 'postgres://a@b/c' : 'x'.repeat(40);
    expect(eventsOf({ [name]: value }).variable(name)).toBeUndefined();
  },
);
