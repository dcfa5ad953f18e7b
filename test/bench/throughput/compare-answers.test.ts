import { expect, test } from 'vitest';
import { refuseDifference } from '../../../bench/throughput/compare-answers.ts';

const rows = '{"data":{"wallet":[{"id":"a","balance":1.25,"at":"2026-01-01T00:00:00+00:00"}]}}';

test.each([
  [
    'other names',
    '{"data":{"all":[{"rowId":"a","amount":1.25,"at":"2026-01-01T00:00:00+00:00"}]}}',
  ],
  ['a decimal number as a text', rows.replace('1.25', '"1.25000000"')],
  ['a time in another form', rows.replace('00:00:00+00:00', '01:00:00.000+01:00')],
])('answers are equal despite %s', (_case, other) => {
  expect(() => refuseDifference('by_pk: other', rows, other)).not.toThrow();
});

test.each([
  ['another value', rows.replace('1.25', '1.26')],
  ['a missing row', '{"data":{"wallet":[]}}'],
  ['another order', '{"data":{"wallet":[{"balance":1.25,"id":"a","at":"2026-01-01T00:00:00Z"}]}}'],
])('answers differ by %s', (_case, other) => {
  expect(() => refuseDifference('by_pk: other', rows, other)).toThrow('by_pk: other answers');
});
