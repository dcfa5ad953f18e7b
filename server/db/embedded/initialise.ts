import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorCode, ProcessError } from '../../errors.ts';
import { runAs } from './account.ts';
import type { Binaries } from './binaries.ts';
import type { ClusterHome } from './home.ts';

/** The bootstrap superuser. Only the code that manages the embedded Postgres uses this login. */
export const superuser = 'postgres';

/** Options for the creation of a cluster. */
export interface CreateOptions {
  /** Whether the cluster is synced to disk. */
  readonly durable: boolean;
  /** Called after initdb has started, which takes about a second. Must not throw. */
  readonly meanwhile: () => void;
}

/**
 * Creates the cluster unless it exists. A crash during creation leaves no valid cluster.
 * Throws RG_CLUSTER_VERSION, RG_DATA_DIR for a folder with other contents, RG_CLUSTER_FAILED.
 */
export async function ensureCluster(
  home: ClusterHome,
  binaries: Binaries,
  superuserPassword: string,
  options: CreateOptions,
): Promise<void> {
  if (await holdsCluster(home, binaries)) return;
  const draft = path.join(home.folder, 'data.partial');
  const passwordFile = path.join(home.folder, 'initdb-password');
  try {
    await rm(draft, { recursive: true, force: true });
    await rm(passwordFile, { force: true });
    await mkdir(draft, { mode: 0o700 });
    await writeFile(passwordFile, superuserPassword, { mode: 0o600, flag: 'wx' });
    await give(home, draft, passwordFile);
    await runInitdb(home, binaries, { data: draft, passwordFile }, options);
    await rename(draft, home.data);
  } finally {
    await rm(passwordFile, { force: true });
    await rm(draft, { recursive: true, force: true });
  }
}

async function holdsCluster(home: ClusterHome, binaries: Binaries): Promise<boolean> {
  const version = await readVersion(home.data);
  if (version === undefined) return !(await isVacant(home.data));
  if (version === String(binaries.major)) return true;
  throw new ProcessError(
    'RG_CLUSTER_VERSION',
    `${home.data} was made by Postgres ${version}, and this rowgate brings Postgres ${binaries.major}`,
    {
      hint: 'nothing was changed: set ROWGATE_DATA_DIR to another folder, or move the data with pg_dump of the older version',
    },
  );
}

async function readVersion(data: string): Promise<string | undefined> {
  try {
    return (await readFile(path.join(data, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined;
    throw new ProcessError('RG_DATA_DIR', `cannot read ${data}: ${errorCode(error)}`, {
      hint: 'run as the user that made the data folder',
      cause: error,
    });
  }
}

async function isVacant(data: string): Promise<boolean> {
  const entries = await readdir(data).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    return ['not a folder'];
  });
  if (entries.length === 0) return true;
  throw new ProcessError('RG_DATA_DIR', `${data} holds something that is not a Postgres cluster`, {
    hint: 'nothing was changed: move it away, or set ROWGATE_DATA_DIR to another folder',
  });
}

async function give(home: ClusterHome, ...files: readonly string[]): Promise<void> {
  if (!home.account) return;
  for (const file of files) await chown(file, home.account.uid, home.account.gid);
}

async function runInitdb(
  home: ClusterHome,
  binaries: Binaries,
  { data, passwordFile }: { readonly data: string; readonly passwordFile: string },
  { durable, meanwhile }: CreateOptions,
): Promise<void> {
  const running = runAs(home.account, binaries.initdb, [
    `--pgdata=${data}`,
    `--username=${superuser}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    ...localeOptions(),
    ...(durable ? [] : ['--no-sync']),
  ]);
  meanwhile();
  const outcome = await running;
  if (outcome.ok) return;
  throw new ProcessError('RG_CLUSTER_FAILED', `initdb failed: ${outcome.output.trim()}`, {
    hint: `check that ${home.folder} has free space, or set ROWGATE_DATA_DIR to another folder`,
  });
}

/** Older releases of macOS lack C.UTF-8, so macOS uses the equivalent locale that is built into Postgres. */
function localeOptions(): readonly string[] {
  if (process.platform !== 'darwin') return ['--locale=C.UTF-8'];
  return ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
}
