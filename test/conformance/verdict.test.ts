import { describe, expect, test } from 'vitest';
import type { SetUp } from './case-file.ts';
import { chooseCases } from './choose-cases.ts';
import { judge } from './expectations.ts';

const empty = { env: {}, sql: [], valuesSql: [], valuesTeardownSql: [], metadata: {} };

function setUp(dir: string, ...ids: readonly string[]): SetUp {
  const cases = ids.map((id) => ({ id, scope: 'class' as const, steps: [] }));
  return { ...empty, setupId: dir, dir, cases };
}

const idsOf = (setUps: readonly SetUp[]) =>
  setUps.flatMap(({ cases }) => cases.map(({ id }) => id));
const many = Array.from({ length: 200 }, (_, index) => `case ${index}`);

describe('chooseCases, which selects the conformance cases to run,', () => {
  test('keeps cases whose folder or id matches the pattern', () => {
    const setUps = [setUp('reads', 'a', 'b'), setUp('writes', 'a', 'c')];
    expect(idsOf(chooseCases(setUps, { only: /^writes$|^b$/, half: false }))).toEqual([
      'b',
      'a',
      'c',
    ]);
  });

  test('omits set-ups of which no case was chosen', () => {
    const setUps = [setUp('reads', 'a'), setUp('writes', 'b')];
    expect(chooseCases(setUps, { only: /b/, half: false })).toEqual([setUps[1]]);
  });

  test('keeps about half of the cases with the option `half`', () => {
    const { length } = idsOf(chooseCases([setUp('reads', ...many)], { half: true }));
    expect(length).toBeGreaterThan(70);
    expect(length).toBeLessThan(130);
  });

  test('puts a case into the same half whatever other cases exist', () => {
    const chosen = idsOf(chooseCases([setUp('reads', ...many)], { half: true }));
    const again = chosen.filter(
      (id) => chooseCases([setUp('writes', id)], { half: true }).length > 0,
    );
    expect(again).toEqual(chosen);
  });
});

test('judge separates new failures from known failures, and lists known failures that now pass', () => {
  const results = [
    { id: 'good', level: 2, why: '' },
    { id: 'mended', level: 4, why: '' },
    { id: 'broken', level: 1, why: 'another code' },
    { id: 'waiting', level: 0, why: 'not built' },
  ] as const;
  const known = [{ reason: 'not built', cases: ['mended', 'waiting', 'not run'] }];
  const verdict = judge(results, known, 2);
  const ids = Object.entries(verdict).map(([kind, list]) => [
    kind,
    list.map(({ id }: { readonly id: string }) => id),
  ]);
  expect(Object.fromEntries(ids)).toEqual({
    passed: ['good'],
    knownToFail: ['waiting'],
    failed: ['broken'],
    listedInVain: ['mended'],
  });
});
