import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Returns the content of a reviewed file beside the tests. With UPDATE_GOLDEN=1 it first writes `actual` to the file.
 * @throws Error with UPDATE_GOLDEN=1 in CI, where no file may change
 */
export async function goldenText(name: string, actual: string): Promise<string> {
  const target = path.join(import.meta.dirname, name);
  if (process.env.UPDATE_GOLDEN === '1') {
    if (process.env.CI) throw new Error('UPDATE_GOLDEN rewrites the judges; CI may not');
    await writeFile(target, actual);
  }
  return readFile(target, 'utf8');
}
