import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { CommandError } from '../../errors.ts';
import { quote } from '../../text/characters.ts';

const run = promisify(execFile);

/** How many bytes of a revision are read at most. Catalog files of large databases have some megabytes. */
const maxBytes = 256 * 1024 * 1024;

/** Files of a revision in a temporary folder. */
export interface Unpacked {
  readonly metadata: string;
  /** The path of the metadata folder within the repository. */
  readonly shownMetadata: string;
  /** The catalog file; undefined if the revision has none at its path. */
  readonly catalog: string | undefined;
  remove(): Promise<void>;
}

/** The folder and file of a version as they stand in the working tree. */
export interface WorkingPaths {
  readonly metadata: string;
  readonly catalog: string | undefined;
}

/**
 * Writes the metadata folder of a revision into a temporary folder, and the catalog file if the revision has it. The
 * repository is the one of the metadata folder. Only the objects of git are read: no file of the working tree changes,
 * and no hook, filter or attribute of the repository runs.
 * @throws CommandError RG_USAGE (exit 2) for a name that is no revision
 */
export async function unpackRevision(revision: string, paths: WorkingPaths): Promise<Unpacked> {
  const root = await git(['rev-parse', '--show-toplevel'], await startOf(paths)).catch((cause) => {
    throw refused(`there is no git repository here, so ${quote(revision)} is no revision`, cause);
  });
  const top = root.toString().replace(/\r?\n$/, '');
  const commit = await commitOf(revision, top);
  const metadata = await within(top, paths.metadata);
  if (metadata === undefined)
    throw refused(`${quote(paths.metadata)} is outside the git repository ${quote(top)}`);
  const catalog = paths.catalog === undefined ? undefined : await within(top, paths.catalog);
  const folder = await mkdtemp(join(tmpdir(), 'rowgate-revision-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const inside = [metadata, ...(catalog === undefined ? [] : [catalog])];
    const files = await writeFiles({ top, commit, inside, folder });
    const hasCatalog = catalog !== undefined && files.has(catalog);
    return {
      ...{ metadata: join(folder, metadata), shownMetadata: metadata === '' ? '.' : metadata },
      ...{ catalog: hasCatalog ? join(folder, catalog) : undefined, remove },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Returns the folder in which git looks for the repository. */
async function startOf({ metadata }: Pick<WorkingPaths, 'metadata'>): Promise<string> {
  const found = await stat(metadata).catch(() => undefined);
  return found?.isDirectory() ? metadata : process.cwd();
}

/** Returns whether git knows a name as a revision. False outside a repository. */
export async function isRevision(name: string, metadata: string): Promise<boolean> {
  return commitOf(name, await startOf({ metadata })).then(
    () => true,
    () => false,
  );
}

/**
 * Returns the commit of the working tree around a metadata folder, with `-dirty` if files of the folder differ from it.
 * Undefined outside a repository, or without git.
 */
export async function currentRevision(metadata: string): Promise<string | undefined> {
  try {
    const commit = (await git(['rev-parse', '--verify', 'HEAD'], metadata)).toString().trim();
    const changes = await git(['status', '--porcelain', '--', '.'], metadata);
    return changes.length > 0 ? `${commit}-dirty` : commit;
  } catch {
    return undefined;
  }
}

/**
 * Returns the id of the commit that a revision names. A name that begins with a dash is refused, and the rest of the
 * line is read as a name, so no name can become an option of git.
 */
async function commitOf(revision: string, top: string): Promise<string> {
  const message = `${quote(revision)} is neither a folder nor a git revision`;
  if (revision === '' || revision.startsWith('-') || revision.includes('\0'))
    throw refused(message);
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  const found = await git(args, top).catch((cause) => {
    throw refused(message, cause);
  });
  const id = found.toString().trim();
  if (!/^[0-9a-f]{40,64}$/.test(id)) throw refused(message);
  return id;
}

/** Returns a path of the working tree relative to the repository; undefined if it lies outside. */
async function within(top: string, path: string): Promise<string | undefined> {
  const whole = resolve(path);
  const parent = await realpath(dirname(whole)).catch(() => dirname(whole));
  const real = await realpath(top);
  const found = relative(real, whole === resolve(top) ? real : join(parent, basename(whole)));
  if (found === '..' || found.startsWith(`..${sep}`)) return undefined;
  return found.split(sep).join('/');
}

interface Target {
  readonly top: string;
  readonly commit: string;
  readonly inside: readonly string[];
  readonly folder: string;
}

async function writeFiles({ top, commit, inside, folder }: Target): Promise<ReadonlySet<string>> {
  const below = inside.includes('') ? [] : inside;
  const listing = await git(['ls-tree', '-r', '-z', '--full-tree', commit, '--', ...below], top);
  const entries = listing
    .toString()
    .split('\0')
    .flatMap((entry) => {
      const [, mode, id, path] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(entry) ?? [];
      return id !== undefined && path !== undefined && isFile(mode, path) ? [{ id, path }] : [];
    });
  const ids = entries.map(({ id }) => `${id}\n`).join('');
  const contents = splitBlobs(await git(['cat-file', '--batch'], top, ids));
  for (const [index, { path }] of entries.entries()) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), contents[index] ?? '');
  }
  return new Set(entries.map(({ path }) => path));
}

/** Splits the output of `git cat-file --batch`: for each object a line with its size, the content, and a newline. */
function splitBlobs(output: Buffer): readonly Buffer[] {
  const found: Buffer[] = [];
  let at = 0;
  while (at < output.length) {
    const end = output.indexOf('\n', at);
    const size = Number(output.subarray(at, end).toString().split(' ')[2]);
    found.push(output.subarray(end + 1, end + 1 + size));
    at = end + size + 2;
  }
  return found;
}

/** Symbolic links and submodules are left out: a link could lead to any file of this machine. */
function isFile(mode: string | undefined, path: string): boolean {
  return (mode === '100644' || mode === '100755') && !path.split('/').includes('..');
}

async function git(args: readonly string[], cwd: string, input = ''): Promise<Buffer> {
  const running = run(
    'git',
    ['--no-replace-objects', '--no-optional-locks', '-c', 'core.fsmonitor=', ...args],
    {
      ...{ cwd, encoding: 'buffer', maxBuffer: maxBytes },
    },
  );
  // A git that ends without reading its input reports that by its exit code.
  running.child.stdin?.on('error', () => {}).end(input);
  return (await running).stdout;
}

function refused(message: string, cause?: unknown): CommandError {
  const hint = 'name a folder with metadata, or a revision such as HEAD~1, main or a tag';
  return new CommandError('RG_USAGE', message, { hint, exitCode: 2, cause });
}
