import { createHash } from 'node:crypto';
import type { SetUp } from './case-file.ts';

export interface Choice {
  /** Selects cases by their id or by the folder of their set-up. */
  readonly only?: RegExp | undefined;
  /** Whether to select half of the cases. The half is always the same. */
  readonly half: boolean;
}

/** Returns the set-ups with their selected cases, without set-ups of which no case is selected. */
export function chooseCases(setUps: readonly SetUp[], { only, half }: Choice): readonly SetUp[] {
  const isSelected = (dir: string, id: string) =>
    (only === undefined || only.test(id) || only.test(dir)) && (!half || isInHalf(id));
  return setUps
    .map((setUp) => ({
      ...setUp,
      cases: setUp.cases.filter(({ id }) => isSelected(setUp.dir, id)),
    }))
    .filter(({ cases }) => cases.length > 0);
}

function isInHalf(id: string): boolean {
  return (createHash('sha256').update(id).digest()[0] ?? 0) % 2 === 0;
}
