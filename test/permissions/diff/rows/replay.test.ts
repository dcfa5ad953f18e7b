import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareRules, type RowRule } from '../../../../permissions/diff/rows/compare-rules.ts';
import type { Model } from '../../../../permissions/types/model.ts';
import type { Installation } from '../../support/installation.ts';
import { removeMetadata } from '../../support/metadata-files.ts';
import { knownPairs } from './known-pairs.ts';
import { openLibrary, rulesOf } from './library.ts';
import { makeBatch, openDatabase } from './random-pairs.ts';
import { replay } from './replay.ts';

let library: Installation;
let random: Installation;
let model: Model;
beforeAll(async () => {
  const pairs = knownPairs.map(([, before, after, , { table = 'loan' } = {}]) => ({
    ...{ table, before, after },
  }));
  ({ library, model } = await openLibrary(pairs));
  random = await openDatabase();
});
afterAll(async () => {
  await library.drop();
  await random.drop();
  await removeMetadata();
});

/** Replays the counterexamples of a pair. Returns how many there were, and those that Postgres denies. */
async function denied(
  installation: Installation,
  made: Model,
  before: RowRule,
  after: RowRule,
): Promise<{ readonly replayed: number; readonly denied: readonly unknown[] }> {
  const { gained, lost } = compareRules(before, after, { before: made, after: made });
  const client = await installation.database.connectSuperuser();
  const found: unknown[] = [];
  const sides = [
    { witness: gained, shown: [false, true] },
    { witness: lost, shown: [true, false] },
  ].filter(({ witness }) => witness);
  for (const { witness, shown } of sides) {
    const actual = witness && (await replay(client, made, [before, after], witness));
    if (String(actual) !== String(shown)) found.push({ witness, actual });
  }
  await client.end();
  return { replayed: sides.length, denied: found };
}

describe('Postgres', () => {
  test('confirms the counterexamples of the known pairs', async () => {
    let count = 0;
    for (const [index, [what, , , , options]] of knownPairs.entries()) {
      const { before, after } = rulesOf(model, options?.table ?? 'loan', index);
      const { replayed, denied: wrong } = await denied(library, model, before, after);
      expect(wrong, what).toEqual([]);
      count += replayed;
    }
    expect(count).toBeGreaterThan(45);
  });

  test('confirms the counterexamples of random pairs', async () => {
    const batch = await makeBatch(random, 20_260_500);
    let count = 0;
    for (const { rules, before, after } of batch.pairs) {
      const { replayed, denied: wrong } = await denied(
        random,
        batch.model,
        rules.before,
        rules.after,
      );
      expect(wrong, JSON.stringify([before, after])).toEqual([]);
      count += replayed;
    }
    expect(count).toBeGreaterThan(30);
  });
});
