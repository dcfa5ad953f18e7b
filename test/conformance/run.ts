import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startScratchCluster } from '../support/scratch-cluster.ts';
import { readCases, type SetUp } from './case-file.ts';
import { type Choice, chooseCases } from './choose-cases.ts';
import type { Level } from './compare.ts';
import { judge, type Result, readKnownFailures, type Verdict } from './expectations.ts';
import { runSetUp } from './run-cases.ts';
import type { Site } from './world.ts';

const usage =
  'npm run conformance -- [--only REGEX] [--half] [--level 1|2|3|4] [--expect FILE] [--verbose]';
const together = 2;
const { ROWGATE_CONFORMANCE_DIR: folder, ROWGATE_CONFORMANCE_DATABASE_URL: givenUrl } = process.env;

// Graphile's own development checks are for its plugin authors; unset, it complains on every start.
process.env.GRAPHILE_ENV ??= 'production';

interface Wanted extends Choice {
  readonly level: Level;
  readonly expect: string;
  readonly verbose: boolean;
}

function readArguments(): Wanted {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      half: { type: 'boolean', default: false },
      level: { type: 'string', default: '2' },
      expect: { type: 'string', default: path.join(import.meta.dirname, 'known-failures.yaml') },
      verbose: { type: 'boolean', default: false },
    },
  });
  if (!/^[1-4]$/.test(values.level)) throw new Error(`there is no level ${values.level}`);
  const only = values.only === undefined ? undefined : new RegExp(values.only);
  return { ...values, only, level: Number(values.level) as Level };
}

/** Runs cases of the folder and compares the outcome with what is known; 0 where it is as expected. */
async function run(casesFolder: string, wanted: Wanted): Promise<number> {
  const known = await readKnownFailures(wanted.expect);
  const setUps = chooseCases(await readCases(casesFolder), wanted);
  if (setUps.length === 0) throw new Error('no case was chosen');
  const results: Result[] = [];
  const onResult = (result: Result) => {
    results.push(result);
    if (wanted.verbose) say(`level ${result.level} ${result.id}`);
  };
  const { site, close } = await openSite();
  // Postgres is a process of its own and would go on.
  process.once('SIGINT', () => close().finally(() => process.exit(130)));
  try {
    await runAll(setUps, site, onResult);
  } finally {
    await close();
  }
  const verdict = judge(results, known, wanted.level);
  tell(verdict, results);
  return verdict.failed.length + verdict.listedInVain.length === 0 ? 0 : 1;
}

/** The Postgres that the environment names, or one of its own; `close` removes what belongs to the run. */
async function openSite(): Promise<{ readonly site: Site; close(): Promise<void> }> {
  if (givenUrl === undefined || givenUrl === '') {
    const {
      superuserUrl: adminUrl,
      ownerUrl,
      scratch: folder,
      remove,
    } = await startScratchCluster();
    return { site: { adminUrl, ownerUrl, folder }, close: remove };
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'rowgate-conformance-'));
  return {
    site: { adminUrl: givenUrl, ownerUrl: givenUrl, folder },
    close: () => rm(folder, { recursive: true, force: true }),
  };
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

function tell({ passed, knownToFail, failed, listedInVain }: Verdict, all: readonly Result[]) {
  for (const { id, why } of failed) say(`FAIL ${id}\n      ${why}`);
  for (const { id } of listedInVain) say(`PASSES, though it is listed as failing: ${id}`);
  const levels = ([1, 2, 3, 4] as const).map(
    (level) => `level ${level}: ${all.filter((one) => one.level >= level).length}`,
  );
  say(`of ${all.length} public cases ${levels.join(', ')}`);
  say(
    `${passed.length} pass, ${knownToFail.length} are known not to, ` +
      `${failed.length} fail, ${listedInVain.length} pass though they are listed as failing`,
  );
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

if (folder === undefined || folder === '') {
  say('no public cases were run: ROWGATE_CONFORMANCE_DIR names no folder with a cases.jsonl');
} else {
  try {
    process.exitCode = await run(folder, readArguments());
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${usage}\n`);
    process.exitCode = 2;
  }
}
