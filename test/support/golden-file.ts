import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * What a reviewed file of test/golden holds; with UPDATE_GOLDEN=1 it is made to hold `actual` first.
 * @throws Error where CI asks for that: there the file is the judge
 */
export async function goldenFile(name: string, actual: string | Uint8Array): Promise<Buffer> {
  const target = path.resolve(import.meta.dirname, '../golden', name);
  if (process.env.UPDATE_GOLDEN === '1') {
    if (process.env.CI) throw new Error('UPDATE_GOLDEN rewrites the judges; CI may not');
    await writeFile(target, actual);
  }
  return readFile(target);
}
