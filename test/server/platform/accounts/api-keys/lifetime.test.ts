import { expect, test } from 'vitest';
import { parseLifetime } from '../../../../../server/platform/accounts/api-keys/key-lifetime.ts';

const hour = 3_600_000;

test.each([
  ['12h', 12 * hour],
  ['90d', 90 * 24 * hour],
  ['4w', 28 * 24 * hour],
  ['1y', 365 * 24 * hour],
  ['10y', 3650 * 24 * hour],
])('%s is a valid lifetime of an API key', (text, milliseconds) => {
  expect(parseLifetime(text)).toBe(milliseconds);
});

test.each(['', '0d', '-1d', '1', 'd', '1.5d', '1m', '1D', '11y', '999999y', '1d ', '١d'])(
  '"%s" is refused as the lifetime of an API key',
  (text) => {
    expect(parseLifetime(text)).toBeUndefined();
  },
);
