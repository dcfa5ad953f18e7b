import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommand } from '../../support/command-line.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import type { Finished } from '../../support/rowgate.ts';

/** A database, and an empty folder in which commands write. */
export interface Place {
  readonly database: TestDatabase;
  readonly folder: string;
  readonly metadata: string;
  /** Runs `init --out` with the folder of the metadata. */
  init(...options: readonly string[]): Promise<Finished>;
  /** Runs a command with `--metadata`. */
  run(...args: readonly string[]): Promise<Finished>;
  /** Runs a command with another metadata folder. */
  runIn(metadata: string, ...args: readonly string[]): Promise<Finished>;
  /** Runs `catalog --out`. */
  writeCatalog(file: string): Promise<Finished>;
  /** Returns the text of a file below the folder. */
  read(file: string): Promise<string>;
  /** Returns the texts of all files below the folder, hidden ones included. */
  readAll(): Promise<Readonly<Record<string, string>>>;
  drop(): Promise<void>;
}

/** Creates a place with a schema in the database. */
export async function openPlace(schema: string): Promise<Place> {
  const database = await createDatabase();
  const folder = await mkdtemp(path.join(tmpdir(), 'rowgate-init-'));
  const owner = await database.connectOwner();
  await owner.query(schema);
  const environment = {
    DATABASE_URL: database.ownerUrl,
    ROWGATE_DATA_DIR: path.join(folder, '.data'),
  };
  const metadata = path.join(folder, 'metadata');
  const runIn: Place['runIn'] = (other, ...args) =>
    runCommand([...args, '--metadata', other], environment);
  const read = (file: string) => readFile(path.join(folder, file), 'utf8');
  return {
    ...{ database, folder, metadata, read },
    init: (...options) => runCommand(['init', '--out', metadata, ...options], environment),
    run: (...args) => runIn(metadata, ...args),
    runIn,
    writeCatalog: (file) => runCommand(['catalog', '--out', file], environment),
    readAll: () => readTexts(folder),
    drop: async () => {
      await runCommand(['uninstall', '--yes', '--metadata', metadata], environment);
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function readTexts(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .filter((file) => !file.startsWith('.data'));
  const found: Record<string, string> = {};
  for (const file of files) found[file] = await readFile(path.join(folder, file), 'utf8');
  return found;
}
