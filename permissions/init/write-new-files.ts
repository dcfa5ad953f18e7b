import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CommandError } from '../errors.ts';
import { fileFailure } from '../metadata/files/file-failure.ts';
import type { NewFile } from './propose-tables.ts';

/** Writes a new file. Returns false, and changes nothing, if a file or folder of that name exists. */
export async function writeNewFile(folder: string, { path, text }: NewFile): Promise<boolean> {
  const target = join(folder, path);
  return reported(target, async () => {
    await mkdir(dirname(target), { recursive: true });
    try {
      await writeFile(target, text, { flag: 'wx' });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  });
}

/** Writes a file, or replaces an existing one. */
export async function replaceFile(folder: string, { path, text }: NewFile): Promise<void> {
  const target = join(folder, path);
  await reported(target, async () => {
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
  });
}

export async function makeFolder(folder: string): Promise<void> {
  await reported(folder, async () => {
    await mkdir(folder, { recursive: true });
  });
}

/** Runs work that writes a file. @throws CommandError with the reason when the file system refuses it */
export async function reported<T>(target: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    const message = `${target} cannot be written: the path ${fileFailure(cause)}`;
    throw new CommandError('RG_FILE_UNREADABLE', message, { exitCode: 2, cause });
  }
}
