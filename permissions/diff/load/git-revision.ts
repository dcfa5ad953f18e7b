import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { CommandError } from '../../errors.ts';
import { quote } from '../../text/characters.ts';

const run = promisify(execFile);

/** How many bytes of a revision are read at most. Catalog files of large databases have some megabytes. */
const maxBytes = 256 * 1024 * 1024;

/** Files of a revision in a temporary folder. */
export interface Unpacked {
  /** The temporary folder of a path of the working tree, e.g. of the metadata folder. */
  pathOf(path: string): string;
  /** The path of a file or folder within the repository. */
  shownPath(path: string): string;
  /** Whether the revision has a file at the path. */
  has(path: string): boolean;
  remove(): Promise<void>;
}

/**
 * Writes the files of a revision below the given paths into a temporary folder. Only the objects of git are read: no
 * file of the working tree changes, and no hook, filter or attribute of the repository runs.
 * @throws CommandError RG_USAGE (exit 2) for a name that is no revision
 */
export async function unpackRevision(
  revision: string,
  paths: readonly string[],
): Promise<Unpacked> {
  const root = await git(['rev-parse', '--show-toplevel'], process.cwd()).catch((cause) => {
    throw refused(`there is no git repository here, so ${quote(revision)} is no revision`, cause);
  });
  const top = root.toString().replace(/\r?\n$/, '');
  const commit = await commitOf(revision, top);
  const inside = await Promise.all(paths.map((path) => within(top, path)));
  const folder = await mkdtemp(join(tmpdir(), 'rowgate-revision-'));
  try {
    const files = await writeFiles({ top, commit, inside, folder });
    const local = new Map(paths.map((path, index) => [path, inside[index] ?? path]));
    const shownPath = (path: string) => local.get(path) ?? path;
    return {
      shownPath,
      pathOf: (path) => join(folder, shownPath(path)),
      has: (path) => files.has(shownPath(path)),
      remove: () => rm(folder, { recursive: true, force: true }),
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Returns whether git knows a name as a revision. False outside a repository. */
export function isRevision(name: string): Promise<boolean> {
  return commitOf(name, process.cwd()).then(
    () => true,
    () => false,
  );
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

/** Returns a path of the working tree relative to the repository. */
async function within(top: string, path: string): Promise<string> {
  const parent = await realpath(dirname(resolve(path))).catch(() => dirname(resolve(path)));
  const found = relative(await realpath(top), join(parent, resolve(path).split(sep).at(-1) ?? ''));
  if (found === '..' || found.startsWith(`..${sep}`)) {
    throw refused(`${quote(path)} is outside the git repository ${quote(top)}`);
  }
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
  running.child.stdin?.end(input);
  return (await running).stdout;
}

function refused(message: string, cause?: unknown): CommandError {
  const hint = 'name a folder with metadata, or a revision such as HEAD~1, main or a tag';
  return new CommandError('RG_USAGE', message, { hint, exitCode: 2, cause });
}
