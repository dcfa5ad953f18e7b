import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareKnowing, type RowRule } from '../../../../permissions/diff/rows/compare-rules.ts';
import {
  type Knowledge,
  makeKnowledge,
} from '../../../../permissions/diff/rows/prove/knowledge.ts';
import type { Model } from '../../../../permissions/types/model.ts';
import type { Installation } from '../../support/installation.ts';
import { removeMetadata } from '../../support/metadata-files.ts';
import { makeBatch, openDatabase } from './random-pairs.ts';
import { Encoder, type Solve, startSolver } from './smt.ts';

let random: Installation;
let solve: Solve;
beforeAll(async () => {
  random = await openDatabase();
  solve = await startSolver();
});
afterAll(async () => {
  await random.drop();
  await removeMetadata();
});

/** Returns the answer of z3 whether a row passes one rule and not the other; `partial` if the rules are not encoded. */
function answer(model: Model, shows: RowRule, hides: RowRule): string {
  const encoder = new Encoder(model);
  const text = encoder.difference(shows, hides);
  return encoder.isPartial ? 'partial' : solve(text);
}

/** Asks z3 about every proof of an engine. Returns how often it gives each answer, and the contradicted pairs. */
async function answersOf(batches: number, mutant: Partial<Knowledge> = {}) {
  const counts: Record<string, number> = {};
  const contradicted: string[] = [];
  for (let batch = 0; batch < batches; batch += 1) {
    const { model, pairs } = await makeBatch(random, 20_270_000 + batch);
    const models = { before: model, after: model };
    const knowledge = { ...makeKnowledge(models), ...mutant };
    for (const { rules, before, after } of pairs) {
      const { verdict } = compareKnowing(rules.before, rules.after, models, knowledge);
      const forth = [rules.after, rules.before] as const;
      const back = [rules.before, rules.after] as const;
      const proofs = { same: [forth, back], narrower: [forth], wider: [back] } as const;
      for (const [shows, hides] of Object.hasOwn(proofs, verdict)
        ? proofs[verdict as 'same']
        : []) {
        const said = answer(model, shows, hides);
        counts[said] = (counts[said] ?? 0) + 1;
        if (said === 'sat') contradicted.push(JSON.stringify([batch, verdict, before, after]));
      }
    }
  }
  return { counts, contradicted };
}

const mutants: Readonly<Record<string, Partial<Knowledge>>> = {
  'that takes every column as filled': { mayBeNull: () => false },
  'that ignores missing variables': { closesWithoutVariable: false },
  'that takes every comparison as true': { opposite: () => 0 },
};

describe('z3', () => {
  test('contradicts no proof about random pairs', async () => {
    const { counts, contradicted } = await answersOf(6);
    process.stderr.write(`answers of z3 about proofs: ${JSON.stringify(counts)}\n`);
    expect(contradicted).toEqual([]);
    expect(counts.unsat).toBeGreaterThan(300);
  }, 600_000);

  test.each(Object.entries(mutants))('contradicts an engine %s', async (_what, mutant) => {
    const { contradicted } = await answersOf(1, mutant);
    expect(contradicted).not.toEqual([]);
  });
});
