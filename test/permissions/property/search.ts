import fc from 'fast-check';
import { anySchema } from './generate-schema.ts';
import { anyUnit } from './generate-unit.ts';
import { reportText } from './report.ts';
import { shrink, shrinkRefused } from './shrink.ts';
import { casesOf, Trial } from './trial.ts';
import type { Schema, Unit } from './vocabulary.ts';
import type { RoleRules } from './write-rules.ts';

export interface SearchOptions {
  readonly seed: number;
  /** Minimum number of cases. */
  readonly cases: number;
}

/** Number of rules that are applied together, because applying takes most of the time. */
const unitsInBatch = 60;

/**
 * Tries random rules on random rows until the number of cases is reached. Returns the number of cases. The first batch
 * uses the seed itself, each further batch the next seed.
 * @throws Error with the smallest case whose outcome differs from the documentation
 */
export async function search({ seed, cases }: SearchOptions): Promise<number> {
  const trial = await Trial.start();
  try {
    let tried = 0;
    for (let batch = 0; tried < cases; batch += 1) tried += await tryBatch(trial, seed + batch);
    return tried;
  } finally {
    await trial.stop();
  }
}

async function tryBatch(trial: Trial, seed: number): Promise<number> {
  const [schema = []] = fc.sample(anySchema, { seed, numRuns: 1 });
  const units = fc.sample(anyUnit(schema), { seed, numRuns: unitsInBatch });
  await trial.use(schema);
  await applyAll(trial, schema, seed, units);
  let tried = 0;
  for (const [index, unit] of units.entries()) {
    const [reader = '', writer = ''] = roleNames(index);
    const cases = casesOf(unit).map((one) => ({
      ...one,
      role: one.case.rule.command === 'select' ? reader : writer,
    }));
    const difference = await trial.compare(unit.rows, cases);
    if (difference) {
      const shrunk = await shrink(trial, { schema, seed, unit: index, difference });
      throw new Error(reportText(schema, seed, shrunk));
    }
    tried += cases.length;
  }
  return tried;
}

const roleNames = (index: number) => [`reader${index}`, `writer${index}`];

/** Gives the select rules to a separate role, because the role that writes gets a select rule for all rows. */
function rolesOf({ table, rules }: Unit, index: number): readonly RoleRules[] {
  const [reader = '', writer = ''] = roleNames(index);
  const reading = rules.filter(({ command }) => command === 'select');
  const writing = rules.filter(({ command }) => command !== 'select');
  return [
    { role: reader, table, rules: reading },
    { role: writer, table, rules: writing },
  ];
}

async function applyAll(
  trial: Trial,
  schema: Schema,
  seed: number,
  units: readonly Unit[],
): Promise<void> {
  try {
    await trial.apply(units.flatMap(rolesOf));
  } catch (error) {
    const smallest = await shrinkRefused(trial, schema, seed, units.length, rolesOf);
    throw new Error(
      `rules are refused, to repeat it: npm run test:property -- --seed ${seed}\n${smallest}`,
      {
        cause: error,
      },
    );
  }
}
