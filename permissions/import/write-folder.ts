import { randomBytes } from 'node:crypto';
import { mkdir, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { CommandError } from '../errors.ts';
import { fileFailure } from '../metadata/files/file-failure.ts';
import type { FolderFile } from './folder-files.ts';

/**
 * Creates a new folder beside `target`, and passes it to `work`. When `work` returns `keep`, the folder is renamed to
 * `target`. So a failure never creates an incomplete folder at `target`.
 * @throws CommandError when `target` exists and is not empty, or cannot be written
 */
export async function writingFolder<T>(
  target: string,
  work: (draft: string) => Promise<{ readonly keep: boolean; readonly result: T }>,
): Promise<T> {
  const place = await vacantPlace(target);
  const draft = join(dirname(place), `.${basename(place)}.${randomBytes(6).toString('hex')}`);
  try {
    await mkdir(draft, { recursive: true });
    const { keep, result } = await work(draft);
    if (keep) await rename(draft, place);
    return result;
  } catch (error) {
    throw isFileError(error) ? unwritable(target, error) : error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Writes the files of a metadata folder. Always creates the folder `tables`, even without a table file. */
export async function writeFiles(draft: string, files: readonly FolderFile[]): Promise<void> {
  await mkdir(join(draft, 'tables'), { recursive: true });
  for (const { path, text } of files) {
    await mkdir(dirname(join(draft, path)), { recursive: true });
    await writeFile(join(draft, path), text);
  }
}

/** Returns the path of the folder to create. Refuses a path where something other than an empty folder exists. */
async function vacantPlace(target: string): Promise<string> {
  let names: readonly string[];
  try {
    names = await readdir(target);
  } catch (error) {
    if (isFileError(error) && error.code === 'ENOENT') return resolve(target);
    throw unwritable(target, error);
  }
  if (names.length === 0) return realpath(target);
  throw new CommandError('RG_USAGE', `the folder ${target} is not empty`, {
    hint: 'name one that is empty or not there yet',
    exitCode: 2,
  });
}

function unwritable(target: string, cause: unknown): CommandError {
  const message = `the folder ${target} cannot be written: the path ${fileFailure(cause)}`;
  return new CommandError('RG_FILE_UNREADABLE', message, { exitCode: 2, cause });
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}
