import { expect, test } from 'vitest';
import { problemsOf, type Sample } from '../../../bench/soak/verdict.ts';

const sampleAt = (at: number): Sample => ({ at, heapMiB: 60, residentMiB: 300, connections: 11 });
const samples = Array.from({ length: 101 }, (_, at) => sampleAt(at));
const steady = {
  ...{ from: 0, to: 100, samples, failures: [], poolSize: 10 },
  restart: { from: 50, to: 55 },
};
const lateIn = (change: Partial<Sample>) =>
  samples.map((sample) => ({ ...sample, ...(sample.at >= 75 && change) }));
const failed = (at: number) => ({ at, outcome: 'failed' as const, text: 'unavailable' });

test('a steady run with errors during the restart has no problem', () => {
  expect(problemsOf({ ...steady, failures: [failed(50), failed(55)] })).toEqual([]);
});

test.each([49, 56])('an error at %i, beside the restart, is a problem', (at) => {
  expect(problemsOf({ ...steady, failures: [failed(at)] })).toEqual([
    '1 errors beside the restart, for example unavailable',
  ]);
});

test('a wrong answer is a problem even during the restart', () => {
  const failures = [{ at: 52, outcome: 'wrong' as const, text: 'another tenant' }];
  expect(problemsOf({ ...steady, failures })).toEqual([
    '1 wrong answers, for example another tenant',
  ]);
});

test.each([
  ['the heap', { heapMiB: 90 }, 'heapMiB grew from 60 to 90'],
  ['resident memory', { residentMiB: 400 }, 'residentMiB grew from 300 to 400'],
  ['connections', { connections: 20 }, '20 database connections, more than 10 and 3'],
])('growth of %s in the last quarter is a problem', (_case, change, problem) => {
  expect(problemsOf({ ...steady, samples: lateIn(change) })).toEqual([problem]);
});

test('a run without samples has a problem', () => {
  expect(problemsOf({ ...steady, samples: [] })).toContain('heapMiB grew from NaN to NaN');
});
