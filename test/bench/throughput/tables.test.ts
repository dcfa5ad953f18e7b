import { expect, test } from 'vitest';
import { resultTable } from '../../../bench/load/table.ts';
import { ratioTable } from '../../../bench/throughput/ratios.ts';
import { resultOf } from './results.ts';

const gateway = resultOf('gateway', [
  [1000, 80],
  [3000, 60],
  [2000, 90],
]);

test('a row holds the median of the rounds, the smallest and the largest value', () => {
  expect(resultTable([gateway])).toBe(
    [
      '| operation | connections | contender | requests/s | p50 ms | p99 ms | Node µs | Postgres µs |',
      '| --- | --- | --- | --- | --- | --- | --- | --- |',
      '| by_pk | 16 | gateway | 2000 (1000..3000) | 1.3 | 9.0 | 80 (60..90) | 40 (40..40) |',
    ].join('\n'),
  );
});

test('a contender without a server has no processor time of Node', () => {
  expect(resultTable([resultOf('pgbench', [[1000, undefined]])])).toContain(' | – | 40 ');
});

test('ratios compare the figures of the same round', () => {
  const complete = resultOf('raw-complete', [
    [4000, 40],
    [4000, 60],
    [4000, 30],
  ]);
  expect(ratioTable([gateway, complete])).toBe(
    [
      '| operation, connections | Node time ÷ raw-complete |',
      '| --- | --- |',
      '| by_pk, 16 | 2.00 (1.00..3.00) |',
    ].join('\n'),
  );
});
