import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { ProcessError } from '../../errors.ts';

// SQLite uses file locks of the kernel, which end with the process. So no lock becomes stale, and reused process ids
// cause no errors.

const retryMs = 50;
const sqliteBusy = 5;

/** Runs `work` while no other process holds the same lock file. Waits up to `timeoutMs`, then throws RG_DATA_DIR. */
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

/**
 * Marks a shared resource, such as the embedded server, as used by this process until the process leaves the resource
 * or ends. The last process that leaves can then stop the resource.
 */
export class Presence {
  readonly #file: string;
  readonly #lock: DatabaseSync;

  /** Throws when the file cannot be written, or while another process runs its `leave` check. */
  constructor(file: string) {
    this.#file = file;
    this.#lock = new DatabaseSync(file, { timeout: 5000 });
    this.#lock.exec('begin; select 1 from sqlite_schema');
  }

  /**
   * Marks the end of the use. Returns true when no other process uses the resource. Call under the same lock as the
   * constructor.
   */
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
