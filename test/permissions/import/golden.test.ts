import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Finished } from '../../support/rowgate.ts';
import { readTree, runImport, type Tree, writeTree } from './import-folder.ts';

const golden = path.resolve(import.meta.dirname, 'golden');
const cases = (await readdir(golden)).sort();

describe.each(cases)('an import of the golden case %s', (name) => {
  const folder = path.join(golden, name);
  const input = ['hasura.json', 'export'].map((one) => path.join(folder, one)).find(existsSync);

  test('prints the report in report.txt', async () => {
    const report = reportOf(await runImport(input ?? ''), folder);
    expect(report).toBe(await expectedReport(folder, report));
  });

  test('writes the files in the folder metadata of the case with --allow-partial', async () => {
    const { code, files } = await runImport(input ?? '', { 'allow-partial': true });
    expect(code).toBe(0);
    expect(files).toEqual(await expectedFiles(folder, files ?? {}));
  });
});

function reportOf({ stdout, stderr, code }: Finished, folder: string): string {
  return `${stdout}${stderr}exit ${code}\n`.replaceAll(`${folder}/`, '');
}

async function expectedReport(folder: string, actual: string): Promise<string> {
  const file = path.join(folder, 'report.txt');
  if (rewriting()) await writeFile(file, actual);
  return readFile(file, 'utf8');
}

async function expectedFiles(folder: string, actual: Tree): Promise<Tree | undefined> {
  const expected = path.join(folder, 'metadata');
  if (rewriting()) await writeTree(expected, actual);
  return readTree(expected);
}

function rewriting(): boolean {
  if (process.env.UPDATE_GOLDEN !== '1') return false;
  if (process.env.CI) throw new Error('UPDATE_GOLDEN rewrites the judges; CI may not');
  return true;
}
