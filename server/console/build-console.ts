import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

/** The sources. Packages do not contain them. */
export const sources = path.join(import.meta.dirname, 'pages');
/** The style sheet that all screens share. A screen may have another one in its folder. */
const shellStyle = 'style.css';

/**
 * Bundles the pages of the console into a folder: the script that a page loads first (`console-….js`), those that its
 * screens load on demand, and one style sheet. Their names contain digests of their contents, and each has compressed
 * copies beside it.
 */
export async function buildConsole(folder: string): Promise<void> {
  // Imported on demand, because packages ship the result, without the bundler.
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input: { console: path.join(sources, 'main.tsx') },
    tsconfig: path.join(sources, 'tsconfig.json'),
  });
  const { output } = await bundle.generate({
    ...{ format: 'esm', minify: true, hashCharacters: 'hex' },
    ...{ entryFileNames: '[name]-[hash].js', chunkFileNames: 'part-[hash].js' },
  });
  await bundle.close();
  await mkdir(folder, { recursive: true });
  for (const one of output) {
    if (one.type === 'chunk') await write(path.join(folder, one.fileName), Buffer.from(one.code));
  }
  const style = await readStyles();
  const digest = createHash('sha256').update(style).digest('hex').slice(0, 12);
  await write(path.join(folder, `console-${digest}.css`), style);
}

/** Returns the style sheet of the shell, followed by those of the screens. */
async function readStyles(): Promise<Buffer> {
  const names = await readdir(sources, { recursive: true });
  const ofScreens = names.filter((name) => name.endsWith('.css') && name !== shellStyle).sort();
  const files = [shellStyle, ...ofScreens].map((name) => readFile(path.join(sources, name)));
  return Buffer.concat(await Promise.all(files));
}

async function write(file: string, content: Buffer): Promise<void> {
  await writeFile(file, content);
  await writeFile(`${file}.br`, await promisify(brotliCompress)(content));
  await writeFile(`${file}.gz`, await promisify(gzip)(content));
}
