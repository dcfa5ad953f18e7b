import { readFile } from 'node:fs/promises';

/** Returns the content of a JSON file, or undefined if the file does not exist. The caller knows its type. */
export async function readOptionalJson<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
