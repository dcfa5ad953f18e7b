import { createHash } from 'node:crypto';
import {
  access,
  chmod,
  constants,
  mkdir,
  readFile,
  realpath,
  rename,
  stat,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { errorCode, ProcessError } from '../../errors.ts';
import { type Account, chooseAccount, runAs } from './account.ts';

/** The location and the owner of a data folder's cluster. */
export interface ClusterHome {
  /** The folder of the cluster and, where needed, of a copy of the binaries. */
  readonly folder: string;
  /** Postgres's own data directory. */
  readonly data: string;
  /** The server's log since its last start. */
  readonly log: string;
  readonly account: Account | undefined;
}

/** The facts about the cluster that are stored in the data folder between runs. */
export interface ClusterRecord {
  /** Present when the cluster is outside the data folder. */
  readonly folder?: string;
  readonly port?: number;
}

/**
 * The folder for clusters when the process runs as root. Postgres then runs as an unprivileged user, who may be unable
 * to reach the data folder.
 */
export const systemFolder = '/var/lib/rowgate';

/** Creates a missing data folder and returns its real path. Throws RG_DATA_DIR. */
export async function prepareDataDir(dataDir: string): Promise<string> {
  try {
    await makeFolder(dataDir);
    await access(dataDir, constants.W_OK | constants.X_OK);
    return await realpath(dataDir);
  } catch (error) {
    throw new ProcessError('RG_DATA_DIR', `cannot use ${dataDir}: ${errorCode(error)}`, {
      hint: 'set ROWGATE_DATA_DIR to a folder that this user may write to',
      cause: error,
    });
  }
}

/** Finds the cluster of a data folder, or creates a folder for it. */
export async function resolveHome(dataDir: string): Promise<ClusterHome> {
  const record = await readRecord(dataDir);
  const own = path.join(dataDir, 'postgres');
  const account = await chooseAccount([path.join(record.folder ?? own, 'data')]);
  const folder = record.folder
    ? await recorded(record.folder, dataDir)
    : await chosen(own, account);
  if (folder !== own) await updateRecord(dataDir, { folder });
  return {
    folder,
    data: path.join(folder, 'data'),
    log: path.join(dataDir, 'postgres.log'),
    account,
  };
}

export async function readRecord(dataDir: string): Promise<ClusterRecord> {
  const file = recordFile(dataDir);
  try {
    return JSON.parse(await readFile(file, 'utf8')) as ClusterRecord;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return {};
    throw new ProcessError('RG_DATA_DIR', `cannot read ${file}`, {
      hint: 'restore it, or delete the data folder to start afresh',
      cause: error,
    });
  }
}

/** Replaces the whole file, so that after a crash either the old or the new file exists. */
export async function updateRecord(dataDir: string, change: ClusterRecord): Promise<void> {
  const record = { ...(await readRecord(dataDir)), ...change };
  const draft = `${recordFile(dataDir)}.partial`;
  await writeFile(draft, `${JSON.stringify(record)}\n`, { flush: true });
  await rename(draft, recordFile(dataDir));
}

const recordFile = (dataDir: string) => path.join(dataDir, 'postgres.json');

async function chosen(own: string, account: Account | undefined): Promise<string> {
  await makeFolder(own);
  if (!account || (await runAs(account, 'test', ['-x', own])).ok) return own;
  const name = createHash('sha256').update(own).digest('hex').slice(0, 16);
  const folder = path.join(systemFolder, name);
  await makeFolder(systemFolder);
  await makeFolder(folder);
  return folder;
}

async function recorded(folder: string, dataDir: string): Promise<string> {
  if (await stat(folder).catch(() => undefined)) return folder;
  throw new ProcessError(
    'RG_DATA_DIR',
    `the cluster of ${dataDir} was in ${folder}, which is gone`,
    {
      hint: `restore it, or delete ${dataDir} to start afresh`,
    },
  );
}

/** Creates a folder that other users can enter but not list, so that Postgres's user reaches its cluster. */
async function makeFolder(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true });
  if (made !== undefined) await chmod(folder, 0o711);
}
