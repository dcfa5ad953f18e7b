import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { errorCode, errorMessage, ProcessError } from '../../errors.ts';

const execute = promisify(execFile);

/** The system user that Postgres runs as. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** The result of a finished program. */
export interface Outcome {
  readonly ok: boolean;
  /** Standard output and standard error, or the reason why the program could not start. */
  readonly output: string;
}

/**
 * Chooses the system user for Postgres; undefined for the user of this process. Postgres refuses to run as root, so
 * root uses the owner of an existing cluster, or else `postgres` or `nobody`.
 */
export async function chooseAccount(dataFolders: readonly string[]): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  for (const folder of dataFolders) {
    const owner = await ownerOf(folder);
    if (owner) return owner;
  }
  const account = (await accountNamed('postgres')) ?? (await accountNamed('nobody'));
  if (account) return account;
  throw new ProcessError('RG_CLUSTER_FAILED', 'Postgres does not run as root', {
    hint: 'add a system user `postgres`, run rowgate as an ordinary user, or set DATABASE_URL',
  });
}

/**
 * Runs a program as the account. The working folder is `/`, because the account may lack permission to enter the
 * current folder.
 */
export async function runAs(
  account: Account | undefined,
  program: string,
  args: readonly string[],
): Promise<Outcome> {
  try {
    const { stdout, stderr } = await execute(program, [...args], spawnOptions(account));
    return { ok: true, output: `${stdout}${stderr}` };
  } catch (error) {
    return { ok: false, output: outputOf(error) };
  }
}

/**
 * Returns the options for programs of Postgres: a fixed locale and time zone, independent of the terminal, and only the
 * group of the account.
 */
export function spawnOptions(account: Account | undefined) {
  return {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    ...(account && { uid: account.uid, gid: account.gid }),
  };
}

async function ownerOf(folder: string): Promise<Account | undefined> {
  try {
    const { uid, gid } = await stat(folder);
    return uid === 0 ? undefined : { name: `user ${uid}`, uid, gid };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function accountNamed(name: string): Promise<Account | undefined> {
  const [uid, gid] = await Promise.all([
    runAs(undefined, 'id', ['-u', name]),
    runAs(undefined, 'id', ['-g', name]),
  ]);
  if (!uid.ok || !gid.ok || Number(uid.output) === 0) return undefined;
  return { name, uid: Number(uid.output), gid: Number(gid.output) };
}

function outputOf(error: unknown): string {
  const streams = error as { readonly stdout?: string; readonly stderr?: string };
  return `${streams.stdout ?? ''}${streams.stderr ?? ''}`.trim() || errorMessage(error);
}
