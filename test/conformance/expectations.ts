import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import type { Level } from './compare.ts';

/** Cases that are known to fail, with the missing feature that makes them fail. */
export interface KnownFailures {
  readonly reason: string;
  readonly cases: readonly string[];
}

export interface Result {
  readonly id: string;
  readonly level: Level;
  /** The reason why the case failed. Empty for a case that passed. */
  readonly why: string;
}

/** The results, sorted by whether the list of known failures expected them. */
export interface Verdict {
  readonly passed: readonly Result[];
  readonly knownToFail: readonly Result[];
  readonly failed: readonly Result[];
  /** Results of cases that pass although they are listed as known failures. */
  readonly listedInVain: readonly Result[];
}

/** Reads the list of known failures. */
export async function readKnownFailures(file: string): Promise<readonly KnownFailures[]> {
  return (parse(await readFile(file, 'utf8')) ?? []) as readonly KnownFailures[];
}

/** Sorts the results. A case passes if it reaches the required level. */
export function judge(
  results: readonly Result[],
  known: readonly KnownFailures[],
  required: Level,
): Verdict {
  const listed = new Set(known.flatMap(({ cases }) => cases));
  const those = (passes: boolean, isListed: boolean) =>
    results.filter(({ id, level }) => level >= required === passes && listed.has(id) === isListed);
  return {
    passed: those(true, false),
    knownToFail: those(false, true),
    failed: those(false, false),
    listedInVain: those(true, true),
  };
}
