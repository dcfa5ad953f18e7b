import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** Uploads are long over by then, one way or another. */
const longestMs = 3_600_000;

/** A folder for the files of one upload, until it is whole. */
export interface Spool {
  /** A path where nothing is. */
  next(): string;
  /** Removes the folder with everything in it. */
  remove(): Promise<void>;
}

/** @param folder that all spools lie in */
export async function openSpool(folder: string): Promise<Spool> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const own = await mkdtemp(path.join(folder, 'upload-'));
  let count = 0;
  return {
    next: () => {
      count += 1;
      return path.join(own, String(count));
    },
    remove: () => rm(own, { recursive: true, force: true }),
  };
}

/** Removes what processes left behind that ended in the middle of an upload. */
export async function removeOldSpools(folder: string, now: Date = new Date()): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => one.startsWith('upload-'))) {
    const own = path.join(folder, name);
    // Another process may be removing it, too.
    const found = await stat(own).catch(() => undefined);
    if (found && now.getTime() - found.mtimeMs > longestMs) {
      await rm(own, { recursive: true, force: true });
    }
  }
}
