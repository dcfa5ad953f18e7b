import { readCases, type SetUp } from './case-file.ts';
import { type Choice, chooseCases } from './choose-cases.ts';
import type { Level } from './compare.ts';
import { judge, type Result, readKnownFailures, type Verdict } from './expectations.ts';
import { runSetUp } from './run-cases.ts';
import type { Site } from './world.ts';

const together = 2;

/** The selected cases, and the level at which a case passes. */
export interface Selection extends Choice {
  readonly level: Level;
  /** File with the known failures. */
  readonly expect: string;
  readonly verbose: boolean;
}

/** The services of the process that starts the run. */
export interface Surroundings {
  openSite(): Promise<{ readonly site: Site; close(): Promise<void> }>;
  say(line: string): void;
}

/** Runs the selected cases of a folder and compares the result with the known failures. Returns 0 when they agree. */
export async function runSuite(
  casesFolder: string,
  selection: Selection,
  { openSite, say }: Surroundings,
): Promise<number> {
  const known = await readKnownFailures(selection.expect);
  const setUps = chooseCases(await readCases(casesFolder), selection);
  if (setUps.length === 0) throw new Error('no case was chosen');
  const results: Result[] = [];
  const onResult = (result: Result) => {
    results.push(result);
    if (selection.verbose) say(`level ${result.level} ${result.id}`);
  };
  const { site, close } = await openSite();
  try {
    await runAll(setUps, site, onResult);
  } finally {
    await close();
  }
  const verdict = judge(results, known, selection.level);
  for (const line of summary(verdict, results)) say(line);
  return verdict.failed.length + verdict.listedInVain.length === 0 ? 0 : 1;
}

async function runAll(
  setUps: readonly SetUp[],
  site: Site,
  onResult: (result: Result) => void,
): Promise<void> {
  const waiting = setUps.values();
  const work = async () => {
    for (const setUp of waiting) await runSetUp(setUp, site, onResult);
  };
  await Promise.all(Array.from({ length: together }, work));
}

function summary(
  { passed, knownToFail, failed, listedInVain }: Verdict,
  all: readonly Result[],
): readonly string[] {
  const levels = ([1, 2, 3, 4] as const).map(
    (level) => `level ${level}: ${all.filter((one) => one.level >= level).length}`,
  );
  return [
    ...failed.map(({ id, why }) => `FAIL ${id}\n      ${why}`),
    ...listedInVain.map(({ id }) => `PASSES, though it is listed as failing: ${id}`),
    `of ${all.length} public cases ${levels.join(', ')}`,
    `${passed.length} pass, ${knownToFail.length} are known not to, ` +
      `${failed.length} fail, ${listedInVain.length} pass though they are listed as failing`,
  ];
}
