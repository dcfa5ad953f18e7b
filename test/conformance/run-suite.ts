import { readCases, type SetUp } from './case-file.ts';
import { type Choice, chooseCases } from './choose-cases.ts';
import type { Level } from './compare.ts';
import { judge, type Result, readKnownFailures, type Verdict } from './expectations.ts';
import { runSetUp } from './run-cases.ts';
import type { Site } from './world.ts';

const together = 2;

/** What of the cases is run, and what counts as passed. */
export interface Wanted extends Choice {
  readonly level: Level;
  /** File with the cases that are known to fail. */
  readonly expect: string;
  readonly verbose: boolean;
}

/** Where cases are run. */
export interface Surroundings {
  openSite(): Promise<{ readonly site: Site; close(): Promise<void> }>;
  say(line: string): void;
}

/** Runs cases of the folder and compares the outcome with what is known; 0 where it is as expected. */
export async function runSuite(
  casesFolder: string,
  wanted: Wanted,
  { openSite, say }: Surroundings,
): Promise<number> {
  const known = await readKnownFailures(wanted.expect);
  const setUps = chooseCases(await readCases(casesFolder), wanted);
  if (setUps.length === 0) throw new Error('no case was chosen');
  const results: Result[] = [];
  const onResult = (result: Result) => {
    results.push(result);
    if (wanted.verbose) say(`level ${result.level} ${result.id}`);
  };
  const { site, close } = await openSite();
  try {
    await runAll(setUps, site, onResult);
  } finally {
    await close();
  }
  const verdict = judge(results, known, wanted.level);
  for (const line of told(verdict, results)) say(line);
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

function told(
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
