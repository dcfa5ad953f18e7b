import { expect, test } from 'vitest';
import { retryAfterMs } from '../../../server/delivery/retry-after.ts';

const now = Date.parse('2026-01-01T12:00:00Z');

test.each([
  ['a number of seconds is a wait of that many seconds', '120', 120_000],
  ['0 is no wait', '0', 0],
  ['a wait of more than an hour is cut to an hour', '86400', 3_600_000],
  ['a date is a wait until then', 'Thu, 01 Jan 2026 12:01:30 GMT', 90_000],
  ['a date in the past is no wait', 'Thu, 01 Jan 2026 11:00:00 GMT', 0],
  ['a date in more than an hour is cut to an hour', 'Fri, 01 Jan 2027 12:00:00 GMT', 3_600_000],
  ['spaces around the number are ignored', ' 5 ', 5000],
  ['a negative number is ignored', '-1', undefined],
  ['a fraction is ignored', '1.5', undefined],
  ['words are ignored', 'Soon, please', undefined],
  ['an empty value is ignored', '', undefined],
  ['a missing header is no wait of its own', undefined, undefined],
])('the header Retry-After: %s', (_title, header, expected) => {
  expect(retryAfterMs(header, now)).toBe(expected);
});
