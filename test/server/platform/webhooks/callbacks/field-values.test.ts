import { describe, expect, test } from 'vitest';
import {
  amountProblem,
  timeProblem,
} from '../../../../../server/platform/webhooks/callbacks/providers/field-values.ts';

const money = { whole: 18, places: 2 };

describe('an amount in a callback', () => {
  test.each([
    '0',
    '0.00',
    '10.10',
    '10.1000',
    '1e2',
    '1.5E+3',
    '1e-2',
    '999999999999999999.99',
    '0000000000000000000000001',
  ])('may be %s', (value) => {
    expect(amountProblem('amount', value, money)).toBeUndefined();
  });

  test.each([
    ['-1', 'must be a decimal number that is not negative'],
    ['NaN', 'must be a decimal number that is not negative'],
    ['', 'must be a decimal number that is not negative'],
    ['1,5', 'must be a decimal number that is not negative'],
    ['.5', 'must be a decimal number that is not negative'],
    ['1e400000', 'must be a decimal number that is not negative'],
    [null, 'must be a decimal number that is not negative'],
    ['1e300', 'has more than 18 digits'],
    ['1000000000000000000', 'has more than 18 digits'],
    ['0.001', 'has more than 2 decimals'],
    ['1e-3', 'has more than 2 decimals'],
  ])('may not be %s', (value, problem) => {
    expect(amountProblem('amount', value, money)).toBe(`amount ${problem}`);
  });
});

test('an amount of a million digits in a callback is refused quickly', () => {
  const amount = `1${'0'.repeat(1_000_000)}1`;
  expect(amountProblem('amount', amount, money)).toBe('amount has more than 128 characters');
});

describe('a time in a callback', () => {
  test.each([
    '2026-03-10T12:00:00Z',
    '2026-03-10 12:00:00+0000',
    '2026-03-10 12:00:00.123',
    '2024-02-29T23:59:59.999999-05:30',
  ])('may be %s', (value) => {
    expect(timeProblem('timestamp', value)).toBeUndefined();
  });

  test.each([
    '2026-02-30T12:00:00Z',
    '2026-13-01T12:00:00Z',
    '2026-03-10T24:00:00Z',
    '2026-03-10',
    'yesterday',
    '99999-03-10T12:00:00Z',
    '2026-03-10T12:00:00+15:00',
    'infinity',
    1_773_144_000,
  ])('may not be %s', (value) => {
    expect(timeProblem('timestamp', value)).toMatch(/^timestamp must be a time like/);
  });
});
