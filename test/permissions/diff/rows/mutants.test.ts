import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareKnowing, compareRules } from '../../../../permissions/diff/rows/compare-rules.ts';
import {
  type Knowledge,
  makeKnowledge,
} from '../../../../permissions/diff/rows/prove/knowledge.ts';
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

/** Wrong answers about the catalog or about SQL. */
const mutants: Readonly<Record<string, Partial<Knowledge>>> = {
  'no column holds null': { mayBeNull: () => false },
  'every column is a key': { isUnique: () => true },
  'every related row exists': { isCertain: () => true },
  'a missing variable closes nothing': { closesWithoutVariable: false },
  'every pattern lies within every other': { likeWithin: () => true },
  'the opposite of less is greater': { opposite: (relations) => 7 & ~relations & ~2 },
};

/** Returns the known pairs about which an engine gives a definite answer that is wrong. */
function wrongAnswers(knowledge: Knowledge): readonly string[] {
  const models = { before: model, after: model };
  return knownPairs.flatMap(([what, , , verdict, { table = 'loan' } = {}], index) => {
    const { before, after } = rulesOf(model, table, index);
    const found = compareKnowing(before, after, models, knowledge).verdict;
    return found === verdict || found === 'undecided' ? [] : [what];
  });
}

describe('the known pairs', () => {
  test('find no wrong answer of the engine', () => {
    expect(wrongAnswers(makeKnowledge({ before: model, after: model }))).toEqual([]);
  });

  test.each(Object.entries(mutants))('find a wrong answer when %s', (_what, mutant) => {
    const knowledge = makeKnowledge({ before: model, after: model });
    expect(wrongAnswers({ ...knowledge, ...mutant })).not.toEqual([]);
  });

  test('give the same answer each time', () => {
    const models = { before: model, after: model };
    const answers = () =>
      knownPairs.slice(0, 40).map((_, index) => {
        const { before, after } = rulesOf(model, 'loan', index);
        return compareRules(before, after, models);
      });
    expect(answers()).toEqual(answers());
  });
});
