import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareRules } from '../../../../permissions/diff/rows/compare-rules.ts';
import type { Model } from '../../../../permissions/types/model.ts';
import type { Installation } from '../../support/installation.ts';
import { removeMetadata } from '../../support/metadata-files.ts';
import { knownPairs } from './known-pairs.ts';
import { openLibrary, rulesOf } from './library.ts';

let library: Installation;
let model: Model;
beforeAll(async () => {
  const pairs = knownPairs.map(([, before, after, , { table = 'loan' } = {}]) => ({
    ...{ table, before, after },
  }));
  ({ library, model } = await openLibrary(pairs));
});
afterAll(async () => {
  await library.drop();
  await removeMetadata();
});

const opposite = { wider: 'narrower', narrower: 'wider' } as Readonly<Record<string, string>>;

describe('the comparison of two row rules', () => {
  test.each(
    knownPairs.map((pair, index) => [...pair.slice(0, 1), index, ...pair.slice(3)] as const),
  )('decides %s', (_what, index, verdict, options) => {
    const { table = 'loan' } = (options ?? {}) as { table?: string };
    const { before, after } = rulesOf(model, table, index as number);
    const models = { before: model, after: model };
    const forth = compareRules(before, after, models);
    const back = compareRules(after, before, models);
    expect([forth.verdict, forth.reason]).toEqual([verdict, forth.reason]);
    expect(back.verdict).toBe(opposite[verdict as string] ?? verdict);
  });
});
