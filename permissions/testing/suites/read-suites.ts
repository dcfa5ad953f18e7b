import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Report } from '../../diagnostics.ts';
import { fileFailure, startOf } from '../../metadata/files/file-failure.ts';
import { decodeFile, readRoot } from '../../metadata/read-file.ts';
import { type RawTestsFile, testsFile } from '../../metadata/schemas/tests.ts';

/** A decoded file of tests. */
export interface RawSuite {
  /** The name of the file without its extension, by which other files use it. */
  readonly name: string;
  /** The path of the file, as messages show it. */
  readonly file: string;
  readonly content: RawTestsFile;
}

/** The folder of the tests in a metadata folder. */
export const testsFolder = 'tests';

/** Reads every file of the folder tests. Reports mistakes in the form of the files, and a missing folder. */
export async function readSuites(metadata: string, report: Report): Promise<readonly RawSuite[]> {
  const folder = join(metadata, testsFolder);
  const suites: RawSuite[] = [];
  for (const name of await namesOf(folder, report)) {
    const path = join(folder, name);
    const root = await readRoot(path, report, metadata);
    const content = root && decodeFile(root, testsFile, report);
    if (content) {
      suites.push({ name: basename(name, '.yaml'), file: startOf(path).file, content });
    }
  }
  return suites;
}

async function namesOf(folder: string, report: Report): Promise<readonly string[]> {
  try {
    const names = (await readdir(folder)).filter((name) => !name.startsWith('.')).sort();
    for (const name of names.filter((one) => one.endsWith('.yml'))) {
      const hint = `rename it to ${name.replace(/\.yml$/, '.yaml')}`;
      const message = 'metadata files must end in .yaml';
      report.error('RG_FILE_UNREADABLE', startOf(join(folder, name)), message, hint);
    }
    return names.filter((name) => name.endsWith('.yaml'));
  } catch (error) {
    const hint = 'write tests there, one file a table; docs/operators/testing.md describes them';
    report.error('RG_FILE_UNREADABLE', startOf(folder), `the path ${fileFailure(error)}`, hint);
    return [];
  }
}
