import { expect, test } from 'vitest';
import { rotated } from '../../../bench/load/rounds.ts';

test('each round begins with another contender', () => {
  const orders = [0, 1, 2, 3].map((round) => rotated(['a', 'b', 'c'], round).join(''));
  expect(orders).toEqual(['abc', 'bca', 'cab', 'abc']);
});
