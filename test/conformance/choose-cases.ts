import { createHash } from 'node:crypto';
import type { SetUp } from './case-file.ts';

export interface Choice {
  /** Cases whose id or whose set-up's folder matches. */
  readonly only?: RegExp | undefined;
  /** One half of the cases, always the same. */
  readonly half: boolean;
}

/** The set-ups with those of their cases that were asked for; set-ups without any are left out. */
export function chooseCases(setUps: readonly SetUp[], { only, half }: Choice): readonly SetUp[] {
  const wanted = (dir: string, id: string) =>
    (only === undefined || only.test(id) || only.test(dir)) && (!half || isInHalf(id));
  return setUps
    .map((setUp) => ({ ...setUp, cases: setUp.cases.filter(({ id }) => wanted(setUp.dir, id)) }))
    .filter(({ cases }) => cases.length > 0);
}

function isInHalf(id: string): boolean {
  return (createHash('sha256').update(id).digest()[0] ?? 0) % 2 === 0;
}
