import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import type { Level } from './compare.ts';

/** Cases that do not pass, with what they wait for. */
export interface KnownFailures {
  readonly reason: string;
  readonly cases: readonly string[];
}

export interface Result {
  readonly id: string;
  readonly level: Level;
  /** What is wrong; empty where nothing is. */
  readonly why: string;
}

/** The results by what was to be expected of them. */
export interface Verdict {
  readonly passed: readonly Result[];
  readonly knownToFail: readonly Result[];
  readonly failed: readonly Result[];
  /** Listed as failing, though they pass. */
  readonly listedInVain: readonly Result[];
}

/** Reads the list of cases that are known not to pass. */
export async function readKnownFailures(file: string): Promise<readonly KnownFailures[]> {
  return (parse(await readFile(file, 'utf8')) ?? []) as readonly KnownFailures[];
}

/** Sorts the results; a case passes from the wanted level on. */
export function judge(
  results: readonly Result[],
  known: readonly KnownFailures[],
  wanted: Level,
): Verdict {
  const listed = new Set(known.flatMap(({ cases }) => cases));
  const those = (passes: boolean, isListed: boolean) =>
    results.filter(({ id, level }) => level >= wanted === passes && listed.has(id) === isListed);
  return {
    passed: those(true, false),
    knownToFail: those(false, true),
    failed: those(false, false),
    listedInVain: those(true, true),
  };
}
