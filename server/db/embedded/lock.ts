import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { ProcessError } from '../../errors.ts';

// SQLite's file locks are the kernel's: they end with the process, however it ends, so that no
// stale lock and no recycled process id has to be recognised.

const retryMs = 50;
const sqliteBusy = 5;

/**
 * Runs `work` while no other process does so with the same lock file.
 * Waits up to `timeoutMs`, then throws RG_DATA_DIR.
 */
export async function withExclusiveLock<T>(
  file: string,
  work: () => Promise<T>,
  timeoutMs = 120_000,
): Promise<T> {
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    await acquire(lock, file, timeoutMs);
    return await work();
  } finally {
    lock.close();
  }
}

async function acquire(lock: DatabaseSync, file: string, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!tryBegin(lock, 'begin exclusive')) {
    if (Date.now() > deadline) {
      throw new ProcessError('RG_DATA_DIR', `another process has held ${file} for too long`, {
        hint: 'end the other rowgate process, then try again',
      });
    }
    await delay(retryMs);
  }
}

/** Shows other processes that this one uses something, until it leaves or dies. */
export class Presence {
  readonly #file: string;
  readonly #lock: DatabaseSync;

  /** Throws where the file cannot be written, or while somebody checks for being the last. */
  constructor(file: string) {
    this.#file = file;
    this.#lock = new DatabaseSync(file, { timeout: 5000 });
    this.#lock.exec('begin; select 1 from sqlite_schema');
  }

  /** Leaves; true if nobody else is present. To be called under the lock that entering takes. */
  leave(): boolean {
    this.#lock.close();
    const probe = new DatabaseSync(this.#file, { timeout: 0 });
    try {
      return tryBegin(probe, 'begin exclusive');
    } finally {
      probe.close();
    }
  }
}

function tryBegin(lock: DatabaseSync, statement: string): boolean {
  try {
    lock.exec(statement);
    return true;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return false;
    throw error;
  }
}
