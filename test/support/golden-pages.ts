import { goldenFile } from './golden-file.ts';
import { pagesOf } from './pdf-tools.ts';
import { difference, readPng } from './png.ts';

const dotsPerInch = 50;
/** Less than a few letters are; other versions of poppler smooth them a little differently. */
const tolerance = 0.0002;

/** Which pages of a PDF look as they did when somebody looked at them; UPDATE_GOLDEN=1 takes them as they are now. */
export async function lookAsTheyDid(name: string, pdf: Uint8Array): Promise<readonly boolean[]> {
  const pages = await pagesOf(pdf, dotsPerInch);
  const golden = await Promise.all(
    pages.map((page, index) => goldenFile(`pdf/${name}-${index + 1}.png`, page)),
  );
  return pages.map(
    (page, index) => difference(readPng(page), readPng(golden[index] as Buffer)) < tolerance,
  );
}
