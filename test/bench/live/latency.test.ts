import { expect, test } from 'vitest';
import { holdsOnly, latenciesOf, newestIn } from '../../../bench/live/latency.ts';

const writes = [
  { number: 1, tenant: 1, at: 100 },
  { number: 2, tenant: 2, at: 110 },
  { number: 3, tenant: 1, at: 120 },
];

test('a write counts until the first message that shows it or a later write', () => {
  const subscribers = [
    { tenant: 1, messages: [[90, 0] as const, [105, 1] as const, [127, 3] as const] },
    { tenant: 1, messages: [[130, 3] as const] },
    { tenant: 2, messages: [[112, 2] as const] },
  ];
  expect(latenciesOf(writes, subscribers)).toEqual([5, 7, 30, 10, 2]);
});

test('a missing message ends the measurement', () => {
  const subscribers = [{ tenant: 1, messages: [[105, 1] as const] }];
  expect(() => latenciesOf(writes, subscribers)).toThrow('tenant 1 has missed write 3');
});

const rows = '[{"tenant_id":7,"name":"write 12"},{"tenant_id":7,"name":"write 9"}]';

test('the newest write of an answer has the largest number', () => {
  expect([newestIn(rows), newestIn('[{"name":"Item 1"}]')]).toEqual([12, 0]);
});

test.each([
  ['a row of another tenant', `${rows},{"tenant_id":70}`, false],
  ['no row', '[]', false],
  ['rows of the tenant', rows, true],
])('an answer with %s is recognized', (_case, message, expected) => {
  expect(holdsOnly(7, message)).toBe(expected);
});
