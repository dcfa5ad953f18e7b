import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { buildConsole, sources } from './build-console.ts';

/** The bundled pages of the console. */
export interface ConsoleFiles {
  /** The name of the script that a page loads first. */
  readonly script: string;
  /** The name of the style sheet. */
  readonly style: string;
  /** The contents by name. Compressed copies have the names of their files, such as `console-….js.br`. */
  readonly contents: ReadonlyMap<string, Buffer>;
}

/** The checkout, or the folder `dist` of a package. */
const root = path.resolve(import.meta.dirname, '../..');

/** Packages and images contain the bundled files in this folder. */
export const shippedFolder = path.join(import.meta.dirname, 'built');

/**
 * Reads the bundled files. A checkout bundles them first, once for each state of the sources.
 * @throws Error when they cannot be bundled, for example because the development packages are missing
 */
export async function openConsoleFiles(): Promise<ConsoleFiles> {
  const folder = existsSync(shippedFolder) ? shippedFolder : await buildOnce();
  const names = await readdir(folder);
  const contents = await Promise.all(
    names.map(async (name) => [name, await readFile(path.join(folder, name))] as const),
  );
  const nameOf = (extension: string) => {
    const found = names.find((name) => name.startsWith('console-') && name.endsWith(extension));
    if (found === undefined) throw new Error(`${folder} contains no file console-*${extension}`);
    return found;
  };
  return { script: nameOf('.js'), style: nameOf('.css'), contents: new Map(contents) };
}

/** Bundles the sources unless the ignored folder `dist/console` has their bundle. Returns its folder. */
async function buildOnce(): Promise<string> {
  const cache = path.join(root, 'dist/console');
  const folder = path.join(cache, await digestOfSources());
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(path.join(cache, 'work-'));
  try {
    await buildConsole(work);
    await rename(work, folder);
  } catch (error) {
    await rm(work, { recursive: true });
    // Another process can have finished the same bundle first.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** Returns a digest of all sources, and of package.json, which has the versions of the bundled packages. */
async function digestOfSources(): Promise<string> {
  const found = await readdir(sources, { recursive: true, withFileTypes: true });
  const files = found
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  const digest = createHash('sha256');
  for (const file of [...files.sort(), path.join(root, 'package.json')]) {
    digest.update(`${file}\0`).update(await readFile(file));
  }
  return digest.digest('hex').slice(0, 16);
}
