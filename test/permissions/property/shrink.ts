import fc from 'fast-check';
import { anyUnit } from './generate-unit.ts';
import { casesOf, type Difference, type Trial } from './trial.ts';
import type { Schema, Unit } from './vocabulary.ts';
import type { RoleRules } from './write-rules.ts';

/** The place of a case with a wrong outcome among the cases of a batch. */
export interface Suspect {
  readonly schema: Schema;
  readonly seed: number;
  readonly unit: number;
  readonly difference: Difference;
}

/** The smallest case with a wrong outcome, and fast-check's path to it. */
export interface Shrunk {
  readonly path: string;
  readonly steps: number;
  readonly difference: Difference;
}

const timeLimit = 120_000;

class DifferenceError extends Error {
  readonly difference: Difference;
  constructor(difference: Difference) {
    super(`expected ${difference.expected}, found ${difference.actual}`);
    this.difference = difference;
  }
}

/** Shrinks the rule, the rows and the variables. Each attempt applies only this rule. */
export async function shrink(trial: Trial, suspect: Suspect): Promise<Shrunk> {
  const { schema, seed, unit, difference } = suspect;
  const property = fc.asyncProperty(anyUnit(schema), async (smaller) => {
    const found = await tryAlone(trial, smaller, difference);
    if (found) throw new DifferenceError(found);
  });
  const details = await fc.check(property, {
    seed,
    path: String(unit),
    numRuns: 1,
    interruptAfterTimeLimit: timeLimit,
  });
  const { errorInstance, counterexamplePath, numShrinks } = details;
  if (errorInstance instanceof DifferenceError)
    return {
      path: counterexamplePath ?? '',
      steps: numShrinks,
      difference: errorInstance.difference,
    };
  if (errorInstance instanceof Error) throw errorInstance;
  return { path: 'it holds when its rule is applied alone', steps: 0, difference };
}

async function tryAlone(
  trial: Trial,
  unit: Unit,
  { rule, setting }: Difference,
): Promise<Difference | undefined> {
  const [one] = casesOf(unit).filter((each) => each.rule === rule && each.setting === setting);
  if (!one) throw new RangeError('a unit has no such case');
  const role = 'alone';
  await trial.apply([{ role, table: unit.table, rules: [one.case.rule] }]);
  return trial.compare(unit.rows, [{ ...one, role }]);
}

/** Returns the message about the smallest unit of a batch whose rules apply refuses alone, or undefined. */
export async function shrinkRefused(
  trial: Trial,
  schema: Schema,
  seed: number,
  units: number,
  rolesOf: (unit: Unit, index: number) => readonly RoleRules[],
): Promise<string> {
  const property = fc.asyncProperty(anyUnit(schema), async (unit) => {
    await trial.apply(rolesOf(unit, 0));
  });
  const limits = { interruptAfterTimeLimit: timeLimit };
  const { errorInstance } = await fc.check(property, { seed, numRuns: units, ...limits });
  return errorInstance instanceof Error ? `${errorInstance.message}\n${trial.applied()}` : '';
}
