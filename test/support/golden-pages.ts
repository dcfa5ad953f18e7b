import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pagesOf } from './pdf-tools.ts';
import { difference, readPng } from './png.ts';

const folder = path.resolve(import.meta.dirname, '../golden/pdf');
const dotsPerInch = 50;
/** Less than a few letters are; other versions of poppler smooth them a little differently. */
const tolerance = 0.0002;

/** Which pages of a PDF look as they did when somebody looked at them; UPDATE_GOLDEN=1 takes them as they are now. */
export async function lookAsTheyDid(name: string, pdf: Uint8Array): Promise<readonly boolean[]> {
  const pages = await pagesOf(pdf, dotsPerInch);
  const files = pages.map((_, index) => path.join(folder, `${name}-${index + 1}.png`));
  if (process.env.UPDATE_GOLDEN === '1') {
    if (process.env.CI) throw new Error('UPDATE_GOLDEN rewrites the judges; CI may not');
    await Promise.all(files.map((file, index) => writeFile(file, pages[index] ?? '')));
  }
  const golden = await Promise.all(files.map((file) => readFile(file)));
  return pages.map(
    (page, index) => difference(readPng(page), readPng(golden[index] as Buffer)) < tolerance,
  );
}
