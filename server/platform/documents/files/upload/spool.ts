import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** Maximum duration of an upload. An older folder comes from a process that ended during an upload. */
const maxUploadMs = 3_600_000;

/** A folder for the files of one incomplete upload. */
export interface Spool {
  /** Returns an unused path. */
  next(): string;
  /** Removes the folder and its contents. */
  remove(): Promise<void>;
}

/** Makes a spool. @param folder the parent folder of all spools */
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

/** Removes the spools of processes that ended during an upload. */
export async function removeOldSpools(folder: string, now: Date = new Date()): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => one.startsWith('upload-'))) {
    const own = path.join(folder, name);
    // Another process may remove the same spool at the same time.
    const found = await stat(own).catch(() => undefined);
    if (found && now.getTime() - found.mtimeMs > maxUploadMs) {
      await rm(own, { recursive: true, force: true });
    }
  }
}
