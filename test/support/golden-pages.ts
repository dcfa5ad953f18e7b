import { goldenFile } from './golden-file.ts';
import { pagesOf } from './pdf-tools.ts';
import { difference, readPng } from './png.ts';

const dotsPerInch = 50;
/** Less than the share of a few letters. Other versions of poppler smooth letters a little differently. */
const tolerance = 0.0002;

/** Returns for each page of a PDF whether it looks like its reviewed picture. UPDATE_GOLDEN=1 writes new pictures. */
export async function lookAsTheyDid(name: string, pdf: Uint8Array): Promise<readonly boolean[]> {
  const pages = await pagesOf(pdf, dotsPerInch);
  const golden = await Promise.all(
    pages.map((page, index) => goldenFile(`pdf/${name}-${index + 1}.png`, page)),
  );
  return pages.map(
    (page, index) => difference(readPng(page), readPng(golden[index] as Buffer)) < tolerance,
  );
}
