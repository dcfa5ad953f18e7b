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

/** What a finished program said. */
export interface Outcome {
  readonly ok: boolean;
  /** Standard output and standard error, or why it could not be started. */
  readonly output: string;
}

/**
 * Who Postgres runs as: undefined for this process's own user; as root, which Postgres refuses, the
 * owner of the cluster where there is one, else `postgres` or `nobody`.
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

/** Runs a program to its end as the account, away from the current folder, which it may not be able to enter. */
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
 * Options for every program of Postgres's: a fixed locale and time zone instead of whatever the
 * terminal happens to have set (or not), and no group but the account's own.
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
