import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inject, onTestFinished } from 'vitest';
import type { CommandContext } from '../../../permissions/commands/context/command.ts';
import { importHasura } from '../../../permissions/commands/import/import-hasura.ts';
import type { TestDatabase } from '../../support/database.ts';
import type { Finished } from '../../support/rowgate.ts';

/** Contents of files by name within a folder. */
export type Tree = Readonly<Record<string, string>>;

/** The output of an import, and the files that it wrote. */
export interface Imported extends Finished {
  /** The files by name, or undefined when the import wrote no folder. */
  readonly files: Tree | undefined;
  /** The folder that the import was to write. */
  readonly out: string;
}

/** Creates a temporary folder. The end of the test removes it. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(inject('scratch'), 'import-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs the command on a file or folder. With a database it reads the tables of the database. */
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
    actor: undefined,
    version: '0',
    hasOwnerUrl: database !== undefined,
    connectOwner: () => database?.connectOwner() ?? Promise.reject(new Error('no database')),
    gatewayLogin: async () => ({ name: undefined, password: undefined }),
    interruption: () => new AbortController().signal,
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

/** Runs the import on metadata that is given as data, or as text when JSON cannot express it. */
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

/** Returns metadata of version 3 with one Postgres database. */
export function metadataOf(tables: readonly unknown[], rest: object = {}) {
  return { version: 3, sources: [{ name: 'default', kind: 'postgres', tables }], ...rest };
}

/** Reads every file below a folder; undefined when the folder does not exist. */
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

/** Writes a folder with exactly these files. */
export async function writeTree(folder: string, files: Tree): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
}
