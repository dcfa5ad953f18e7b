import { afterAll, expect, test } from 'vitest';
import { removeMetadata } from '../support/metadata-files.ts';
import { search } from './search.ts';

// Runs of all tests use the same cases each time; `npm run test:property` chooses a random seed.
const seed = Number(process.env.PROPERTY_SEED ?? 20_260_419);
const cases = Number(process.env.PROPERTY_CASES ?? 1_800);

afterAll(removeMetadata);

// One case is one rule on one data set with one value for each session variable.
test(`random rules on random rows show and write what an independent evaluator of the documentation expects, from seed ${seed}`, async () => {
  const started = performance.now();
  process.stderr.write(`property test of rules: seed ${seed}\n`);
  const tried = await search({ seed, cases });
  const seconds = Math.round((performance.now() - started) / 1000);
  process.stderr.write(`property test of rules: ${tried} cases held in ${seconds} s\n`);
  expect(tried).toBeGreaterThanOrEqual(cases);
}, 7_200_000);
