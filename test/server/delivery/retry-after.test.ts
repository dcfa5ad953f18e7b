import { expect, test } from 'vitest';
import { retryAfterMs } from '../../../server/delivery/retry-after.ts';

const now = Date.parse('2026-01-01T12:00:00Z');

test.each([
  ['seconds', '120', 120_000],
  ['no wait at all', '0', 0],
  ['more than an hour is an hour', '86400', 3_600_000],
  ['a date', 'Thu, 01 Jan 2026 12:01:30 GMT', 90_000],
  ['a date that is over', 'Thu, 01 Jan 2026 11:00:00 GMT', 0],
  ['a far date is an hour', 'Fri, 01 Jan 2027 12:00:00 GMT', 3_600_000],
  ['spaces around it', ' 5 ', 5000],
  ['a negative number says nothing', '-1', undefined],
  ['a fraction says nothing', '1.5', undefined],
  ['words say nothing', 'Soon, please', undefined],
  ['nothing says nothing', '', undefined],
  ['an absent one says nothing', undefined, undefined],
])('the header Retry-After: %s', (_title, header, expected) => {
  expect(retryAfterMs(header, now)).toBe(expected);
});
