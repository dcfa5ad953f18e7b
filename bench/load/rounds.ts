import { rounds } from '../options.ts';
import type { Figures, Trial } from './trial.ts';

export const ROUND_MS = 1000;
const WARM_UP_MS = 1000;

/** The figures of all rounds of one contender under one load. */
export interface Result extends Omit<Trial, 'run'> {
  readonly rounds: readonly Figures[];
}

/**
 * Runs all trials in turns, so that changing load of the machine affects all of them. Trials of one group are compared
 * with each other; each round begins with another one of them.
 */
export async function runRounds(groups: readonly (readonly Trial[])[]): Promise<readonly Result[]> {
  const figures = new Map<Trial, Figures[]>(groups.flat().map((trial) => [trial, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const trial of groups.flatMap((group) => rotated(group, round))) {
      const found = await trial.run(round === 0 ? WARM_UP_MS : ROUND_MS);
      if (round > 0) figures.get(trial)?.push(found);
    }
    if (round > 0) console.log(`round ${round} of ${rounds} is over`);
  }
  return [...figures].map(([{ run: _, ...trial }, found]) => ({ ...trial, rounds: found }));
}

/** Returns the list so that another element is the first one in each round. */
export function rotated<Element>(list: readonly Element[], round: number): readonly Element[] {
  const start = list.length === 0 ? 0 : round % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}
