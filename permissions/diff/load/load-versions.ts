import { stat } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { readCatalog } from '../../catalog/read-catalog.ts';
import type { CatalogData } from '../../catalog/types.ts';
import { CommandError } from '../../errors.ts';
import { quote } from '../../text/characters.ts';
import { isRevision, type Unpacked, unpackRevision } from './git-revision.ts';
import type { VersionSource } from './version.ts';

/** Which two versions are compared, and where their tables are described. */
export interface VersionOptions {
  /** A git revision or a folder. Default: HEAD against the working tree. */
  readonly old: string | undefined;
  readonly new: string | undefined;
  /** The metadata folder of the working tree, which is also read from revisions. */
  readonly metadata: string;
  /** Catalog files. A revision that has the file at the same path is read with its own copy. */
  readonly catalog: string | undefined;
  readonly oldCatalog: string | undefined;
  /** Reads the catalog of the database, for versions without a catalog file. */
  readonly inspect: () => Promise<CatalogData>;
}

/**
 * Finds both versions, calls `work` with them, and removes the files that were written for revisions.
 * @throws CommandError RG_USAGE or RG_CATALOG (exit 2)
 */
export async function withSources<T>(
  options: VersionOptions,
  work: (before: VersionSource, after: VersionSource) => Promise<T>,
): Promise<T> {
  const unpacked: Unpacked[] = [];
  const { metadata, catalog, oldCatalog } = options;
  const inspect = once(options.inspect);
  const find = async (spec: string, file: string | undefined): Promise<VersionSource> => {
    if (await isFolder(spec, metadata)) {
      const data = await catalogFrom(file, inspect);
      return { label: spec, folder: spec, shownFolder: shownPath(spec), catalog: data };
    }
    const found = await unpackRevision(spec, { metadata, catalog: file });
    unpacked.push(found);
    const data = await catalogFrom(found.catalog ?? file, inspect);
    const { metadata: folder, shownMetadata: shownFolder } = found;
    return { label: spec, folder, shownFolder, catalog: data };
  };
  try {
    const before = await find(options.old ?? 'HEAD', oldCatalog ?? catalog);
    const after = await find(options.new ?? metadata, catalog);
    return await work(before, after);
  } finally {
    for (const one of unpacked) await one.remove();
  }
}

function catalogFrom(
  file: string | undefined,
  inspect: () => Promise<CatalogData>,
): Promise<CatalogData> {
  return file === undefined ? inspect() : readCatalog(file);
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}

/**
 * Returns whether a word names a folder and no revision.
 * @throws CommandError RG_USAGE (exit 2) if it could mean either
 */
async function isFolder(spec: string, metadata: string): Promise<boolean> {
  const found = await stat(spec).catch(() => undefined);
  const isPath = /^\.{0,2}[\\/]|^\.{1,2}$/.test(spec);
  if (isPath && !found) {
    throw new CommandError('RG_USAGE', `there is no folder ${quote(spec)}`, { exitCode: 2 });
  }
  if (!found?.isDirectory()) return false;
  if (isPath || spec === metadata || !(await isRevision(spec, metadata))) return true;
  throw new CommandError('RG_USAGE', `${quote(spec)} is both a folder and a git revision`, {
    hint: `write ./${spec} for the folder, or refs/heads/${spec} for the branch`,
    exitCode: 2,
  });
}

/** Returns a folder as annotations of a continuous integration name files: relative to the current folder. */
function shownPath(folder: string): string {
  const path = relative('', folder);
  const shown = path === '' ? '.' : path.startsWith('..') ? folder : path;
  return shown.split(sep).join('/');
}
