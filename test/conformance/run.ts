import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startScratchCluster } from '../support/scratch-cluster.ts';
import type { Level } from './compare.ts';
import { runSuite, type Selection } from './run-suite.ts';
import type { Site } from './world.ts';

const usage =
  'npm run conformance -- [--only REGEX] [--half] [--level 1|2|3|4] [--expect FILE] [--verbose]';
const { ROWGATE_CONFORMANCE_DIR: folder, ROWGATE_CONFORMANCE_DATABASE_URL: givenUrl } = process.env;

// These checks are for authors of Graphile plugins. If the variable is not set, Graphile prints a warning at each
// start.
process.env.GRAPHILE_ENV ??= 'production';

function readArguments(): Selection {
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

/**
 * Calls `givenOrOwn` and closes the site when the run is interrupted. Postgres is a separate process and would
 * continue.
 */
async function openSite(): ReturnType<typeof givenOrOwn> {
  const opened = await givenOrOwn();
  process.once('SIGINT', () => opened.close().finally(() => process.exit(130)));
  return opened;
}

/** Returns the Postgres that the environment names, or a new one. `close` removes everything that the run created. */
async function givenOrOwn(): Promise<{ readonly site: Site; close(): Promise<void> }> {
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

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

if (folder === undefined || folder === '') {
  say('no public cases were run: ROWGATE_CONFORMANCE_DIR names no folder with a cases.jsonl');
} else {
  try {
    process.exitCode = await runSuite(folder, readArguments(), { openSite, say });
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${usage}\n`);
    process.exitCode = 2;
  }
}
