import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../errors.ts';
import { runAs } from './account.ts';

/** The contents of a postmaster's pid file. */
export interface RunningPostmaster {
  readonly pid: number;
  readonly port: number;
  /** Whether the server accepts logins. */
  readonly ready: boolean;
}

/**
 * Finds the postmaster that runs on the data directory. Removes a file from a crash, because Postgres would refuse to
 * start when another process reuses the process id in it.
 */
export async function readPidFile(data: string): Promise<RunningPostmaster | undefined> {
  const file = path.join(data, 'postmaster.pid');
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return '';
    throw error;
  });
  if (text === '') return undefined;
  // The file has one line each for: process id, data directory, start time, port, socket folder, address, shared
  // memory, status (https://www.postgresql.org/docs/current/storage-file-layout.html).
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (pid > 1 && (await commandLine(pid)).includes(data)) {
    return { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' };
  }
  await rm(file, { force: true });
  return undefined;
}

/** Returns the command line of a process; empty when it does not exist. */
async function commandLine(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  }
  const outcome = await runAs(undefined, 'ps', ['-ww', '-p', String(pid), '-o', 'command=']);
  return outcome.ok ? outcome.output : '';
}
