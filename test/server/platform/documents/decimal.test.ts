import { expect, test } from 'vitest';
import {
  isNegative,
  isZero,
  multiply,
  subtract,
  sum,
} from '../../../../server/platform/documents/decimal.ts';

test.each([
  [[], '0'],
  [['0.10', '0.20'], '0.30'],
  [['1', '0.005'], '1.005'],
  [['-1.50', '1.50'], '0.00'],
  [['-0.05', '0.01'], '-0.04'],
  [['99999999999999999999.99', '0.01'], '100000000000000000000.00'],
])('the sum of %j is %s', (values, expected) => {
  expect(sum(values)).toBe(expected);
});

test('the difference of two decimals may be negative', () => {
  expect(subtract('1200.00', '1400')).toBe('-200.00');
});

test.each([
  ['1.5', '100000', '150000.00'],
  ['33.4', '5.00', '167.00'],
  ['1', '0.005', '0.01'],
  ['1', '-0.005', '-0.01'],
  ['1', '0.0049999', '0.00'],
  ['0.000000000000000001', '0.000000000000000001', '0.00'],
  ['99999999999999999999.999999999999999999', '2', '200000000000000000000.00'],
])('%s × %s rounded to hundredths is %s', (one, other, expected) => {
  expect(multiply(one, other, 2)).toBe(expected);
});

test('isZero recognizes zero with any number of decimals and with either sign', () => {
  expect(['0', '0.00', '-0.0', '0.01'].map(isZero)).toEqual([true, true, true, false]);
  expect(['-0.00', '-0.01', '1'].map(isNegative)).toEqual([false, true, false]);
});

test('adding a text that is not a number fails instead of giving a wrong sum', () => {
  expect(() => sum(['NaN'])).toThrow(RangeError);
});
