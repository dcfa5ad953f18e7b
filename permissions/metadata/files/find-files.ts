import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Report } from '../../diagnostics.ts';
import { quote, unsafeCharacterIn } from '../../text/characters.ts';
import { fileFailure, startOf } from './file-failure.ts';

/** The files of a metadata folder. Each path begins with the path of the folder. */
export interface MetadataFiles {
  readonly roles: string | undefined;
  readonly filters: string | undefined;
  readonly settings: string | undefined;
  readonly cron: string | undefined;
  readonly actions: string | undefined;
  readonly allowList: string | undefined;
  readonly graphile: string | undefined;
  readonly tables: readonly string[];
  readonly functions: readonly string[];
}

/**
 * Lists the files of a metadata folder in a fixed order. Follows symbolic links. Skips hidden names, because mounted
 * configuration volumes hold second copies in `..data`. Reports a missing folder or roles.yaml, circular links, and
 * `.yml` files, which would otherwise be ignored silently.
 */
export async function findFiles(
  directory: string,
  report: Report,
): Promise<MetadataFiles | undefined> {
  const names = await namesOf(directory, report, undefined);
  if (!names) return undefined;
  for (const name of ['roles', 'filters', 'rowgate', 'cron', 'actions', 'allow_list', 'graphile']) {
    if (names.includes(`${name}.yml`)) refuseExtension(join(directory, `${name}.yml`), report);
  }
  const present = (name: string) => (names.includes(name) ? join(directory, name) : undefined);
  if (!names.includes('roles.yaml') && !names.includes('roles.yml')) {
    if (isOfHasura(names)) return refuseHasura(directory, report);
    report.error(
      'RG_FILE_UNREADABLE',
      startOf(join(directory, 'roles.yaml')),
      'there is no roles.yaml',
      (await isBelowMetadata(directory))
        ? `name the folder above with --metadata ${startOf(dirname(directory)).file}`
        : 'list the roles there, as roles: { reader: { purpose: reads everything } }, or let `rowgate init` write it',
    );
  }
  return {
    ...namedFiles(present),
    tables: await findTableFiles(directory, names, report),
    functions: names.includes('functions')
      ? await filesBelow(join(directory, 'functions'), report)
      : [],
  };
}

/** Returns whether a folder holds the files that Hasura's command line writes. */
function isOfHasura(names: readonly string[]): boolean {
  return names.includes('version.yaml') && names.includes('databases');
}

function refuseHasura(directory: string, report: Report): undefined {
  const message = "the folder holds Hasura's metadata";
  const hint = 'run `rowgate import hasura` with this folder, and name the result with --metadata';
  report.error('RG_FILE_UNREADABLE', startOf(directory), message, hint);
}

/** Returns whether a folder is one of a metadata folder, such as `metadata/tables`. */
async function isBelowMetadata(directory: string): Promise<boolean> {
  const names = await readdir(dirname(resolve(directory))).catch(() => [] as string[]);
  return names.includes('roles.yaml');
}

/** Sorts known paths within a folder by kind of file, without reading the folder. */
export function listFiles(paths: readonly string[]): MetadataFiles {
  const present = (name: string) => (paths.includes(name) ? name : undefined);
  const below = (folder: string) => paths.filter((path) => path.startsWith(`${folder}/`));
  return { ...namedFiles(present), tables: below('tables'), functions: below('functions') };
}

function namedFiles(present: (name: string) => string | undefined) {
  return {
    roles: present('roles.yaml'),
    filters: present('filters.yaml'),
    settings: present('rowgate.yaml'),
    cron: present('cron.yaml'),
    actions: present('actions.yaml'),
    allowList: present('allow_list.yaml'),
    graphile: present('graphile.yaml'),
  };
}

async function findTableFiles(
  directory: string,
  names: readonly string[],
  report: Report,
): Promise<readonly string[]> {
  const folder = join(directory, 'tables');
  if (names.includes('tables')) return filesBelow(folder, report);
  const hint = 'make it, with one file a table';
  report.error('RG_FILE_UNREADABLE', startOf(folder), 'there is no folder tables', hint);
  return [];
}

async function filesBelow(folder: string, report: Report): Promise<readonly string[]> {
  const found: string[] = [];
  await collect(folder, { found, seen: new Set(), report });
  return found;
}

interface Walk {
  readonly found: string[];
  /**
   * Real paths of the folders that were read. Reaching a folder again means that two links lead to it, or that it
   * contains itself.
   */
  readonly seen: Set<string>;
  readonly report: Report;
}

async function collect(folder: string, walk: Walk): Promise<void> {
  const names = await namesOf(folder, walk.report, walk.seen);
  for (const name of names ?? []) {
    const path = join(folder, name);
    if (await isFolder(path, walk.report)) await collect(path, walk);
    else if (name.endsWith('.yaml')) walk.found.push(path);
    else if (/\.ya?ml$/iu.test(name)) refuseExtension(path, walk.report);
  }
}

async function namesOf(
  folder: string,
  report: Report,
  seen: Set<string> | undefined,
): Promise<readonly string[] | undefined> {
  try {
    const real = await realpath(folder);
    if (seen?.has(real)) {
      const message = 'the symbolic link leads to a folder that is read already';
      report.error('RG_FILE_UNREADABLE', startOf(folder), message, 'remove the link');
      return undefined;
    }
    seen?.add(real);
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => isReadable(entry, folder, report))
      .map(nameOf)
      .sort();
  } catch (error) {
    const hint = seen
      ? undefined
      : 'name the folder with --metadata, or let `rowgate init` write one';
    report.error('RG_FILE_UNREADABLE', startOf(folder), `the path ${fileFailure(error)}`, hint);
    return undefined;
  }
}

function nameOf(entry: Dirent): string {
  return entry.name;
}

function isReadable(entry: Dirent, folder: string, report: Report): boolean {
  if (entry.name.startsWith('.')) return false;
  const character = unsafeCharacterIn(entry.name);
  if (!character) return true;
  const message = `the name of the file ${quote(entry.name)} holds the character ${character}`;
  report.error('RG_FILE_UNREADABLE', startOf(folder), message, 'rename it');
  return false;
}

async function isFolder(path: string, report: Report): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    // A file whose status cannot be read is reported later, when its content is read.
    if (!path.endsWith('.yaml')) {
      report.error('RG_FILE_UNREADABLE', startOf(path), `the path ${fileFailure(error)}`);
    }
    return false;
  }
}

function refuseExtension(path: string, report: Report): void {
  const renamed = path.replace(/\.ya?ml$/iu, '.yaml');
  const hint = `rename it to ${startOf(renamed).file}`;
  report.error('RG_FILE_UNREADABLE', startOf(path), 'metadata files must end in .yaml', hint);
}
