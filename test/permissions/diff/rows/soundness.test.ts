import { afterAll, beforeAll, expect, test } from 'vitest';
import { ruleOutcome, type TextRow } from '../../../../permissions/diff/evaluate/evaluate-rule.ts';
import { compareRules } from '../../../../permissions/diff/rows/compare-rules.ts';
import type { Row, Rows, Value, Variables } from '../../property/vocabulary.ts';
import { textOfValue } from '../../property/write-sql.ts';
import type { Installation } from '../../support/installation.ts';
import { removeMetadata } from '../../support/metadata-files.ts';
import { type Batch, isShown, makeBatch, openDatabase, type RandomPair } from './random-pairs.ts';

// Runs use the same pairs each time; `npm run test:property -- --long` compares 100,000 pairs from a random seed.
const seed = Number(process.env.PROPERTY_SEED ?? 20_260_419);
const pairs = Number(process.env.PROPERTY_CASES ?? 2_000);

let installation: Installation;
beforeAll(async () => {
  installation = await openDatabase();
});
afterAll(async () => {
  await installation.drop();
  await removeMetadata();
});

/** Returns the rows that one rule of a pair shows and the other hides, in the random worlds of the batch. */
function differences({ schema, worlds }: Batch, { table, before, after }: RandomPair) {
  let [gained, lost] = [0, 0];
  for (const world of worlds)
    for (const row of world.rows[table] ?? []) {
      const place = { schema, ...world };
      const [old, now] = [before, after].map((rule) => isShown(rule, table, row, place));
      if (now && !old) gained += 1;
      if (old && !now) lost += 1;
    }
  return { gained, lost };
}

const verdicts = (gained: number, lost: number) => {
  const possible = ['undecided', 'crossed'];
  if (gained === 0) possible.push('narrower');
  if (lost === 0) possible.push('wider');
  return gained + lost === 0 ? [...possible, 'same'] : possible;
};

test(`no random row contradicts a verdict about random rules, from seed ${seed}`, async () => {
  const counts: Record<string, number> = {};
  let compared = 0;
  for (let batch = 0; compared < pairs; batch += 1) {
    const made = await makeBatch(installation, seed + batch);
    const models = { before: made.model, after: made.model };
    for (const pair of made.pairs) {
      const { verdict } = compareRules(pair.rules.before, pair.rules.after, models);
      const { gained, lost } = differences(made, pair);
      counts[verdict] = (counts[verdict] ?? 0) + 1;
      expect(verdicts(gained, lost), JSON.stringify([seed + batch, pair, verdict])).toContain(
        verdict,
      );
      compared += 1;
    }
  }
  process.stderr.write(`verdicts about random pairs: ${JSON.stringify(counts)}\n`);
  expect(compared).toBeGreaterThanOrEqual(pairs);
}, 7_200_000);

const textRow = (row: Row): TextRow =>
  Object.fromEntries(
    Object.entries(row).map(([name, cell]) => [name, cell === null ? null : textOfValue(cell)]),
  );
const textRows = (rows: Rows) =>
  new Map(Object.entries(rows).map(([table, list]) => [`public.${table}`, list.map(textRow)]));
const texts = (variables: Variables) =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, textOfValue(value as Value)]),
  );

test('the evaluator of compiled rules agrees with the evaluator of the documentation', async () => {
  const { schema, model, pairs: drawn, worlds } = await makeBatch(installation, seed - 1);
  let decided = 0;
  for (const { table, before, rules } of drawn)
    for (const { rows, variables } of worlds.slice(0, 20)) {
      const world = {
        ...{ tables: model.tables, now: '2030-01-01T00:00:00Z' },
        ...{ rows: textRows(rows), variables: texts(variables) },
      };
      const { expression = { kind: 'or', items: [] } as const } = rules.before;
      for (const row of rows[table] ?? []) {
        const outcome = ruleOutcome(expression, `public.${table}`, textRow(row), world);
        const expected = isShown(before, table, row, { schema, rows, variables });
        if (outcome !== undefined) decided += 1;
        expect(outcome === undefined ? expected : outcome === true).toBe(expected);
      }
    }
  expect(decided).toBeGreaterThan(4_000);
});
