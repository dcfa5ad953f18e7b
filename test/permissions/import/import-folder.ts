import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inject, onTestFinished } from 'vitest';
import type { CommandContext } from '../../../permissions/commands/context/command.ts';
import { importHasura } from '../../../permissions/commands/import/import-hasura.ts';
import type { TestDatabase } from '../../support/database.ts';
import type { Finished } from '../../support/rowgate.ts';

/** File names within a folder → what they hold. */
export type Tree = Readonly<Record<string, string>>;

/** What an import has said and written. */
export interface Imported extends Finished {
  /** Undefined where there is no folder. */
  readonly files: Tree | undefined;
  /** The folder that was to be written. */
  readonly out: string;
}

/** A folder of the run's own, gone when the test is over. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(inject('scratch'), 'import-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs the command on a file or folder; with a database it looks at its tables. */
export async function runImport(
  input: string,
  options: Readonly<Record<string, unknown>> = {},
  database?: TestDatabase,
): Promise<Imported> {
  const out = path.join(await temporaryFolder(), 'metadata');
  const stdout: string[] = [];
  const stderr: string[] = [];
  const context: CommandContext = {
    rolePrefix: undefined,
    headerPrefix: 'X-Gql-',
    inferFunctionPermissions: false,
    hasOwnerUrl: database !== undefined,
    connectOwner: () => database?.connectOwner() ?? Promise.reject(new Error('no database')),
    gatewayLogin: async () => ({ name: undefined, password: undefined }),
    readInput: async () => '',
    print: (line) => stdout.push(`${line}\n`),
    printError: (line) => stderr.push(`${line}\n`),
    confirm: undefined,
  };
  const code = await importHasura.run({ out, ...options }, [input], context);
  return {
    code,
    stdout: stdout.join(''),
    stderr: stderr.join(''),
    files: await readTree(out),
    out,
  };
}

/** As runImport, for metadata that is given as data or, where JSON cannot say it, as text. */
export async function importMetadata(
  metadata: unknown,
  options: Readonly<Record<string, unknown>> = {},
  database?: TestDatabase,
): Promise<Imported> {
  const file = path.join(await temporaryFolder(), 'hasura.json');
  await writeFile(file, typeof metadata === 'string' ? metadata : JSON.stringify(metadata));
  const imported = await runImport(file, options, database);
  const stdout = imported.stdout.replaceAll(file, 'hasura.json');
  const stderr = imported.stderr.replaceAll(file, 'hasura.json');
  return { ...imported, stdout, stderr };
}

/** Version 3 of the metadata with one Postgres. */
export function metadataOf(tables: readonly unknown[], rest: object = {}) {
  return { version: 3, sources: [{ name: 'default', kind: 'postgres', tables }], ...rest };
}

/** Every file below a folder; undefined where there is none. */
export async function readTree(folder: string): Promise<Tree | undefined> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  const names = files.map((entry) =>
    path.relative(folder, path.join(entry.parentPath, entry.name)),
  );
  if (names.length === 0) return undefined;
  const read = async (name: string) =>
    [name, await readFile(path.join(folder, name), 'utf8')] as const;
  return Object.fromEntries(await Promise.all(names.sort().map(read)));
}

/** Makes a folder hold these files and no others. */
export async function writeTree(folder: string, files: Tree): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
}
