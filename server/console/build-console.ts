import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

/** The sources. Packages do not contain them. */
export const sources = path.join(import.meta.dirname, 'pages');

/**
 * Bundles the pages of the console into a folder: one script and one style sheet. Their names contain digests of their
 * contents, and each has compressed copies beside it.
 */
export async function buildConsole(folder: string): Promise<void> {
  // Imported on demand, because packages ship the result, without the bundler.
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input: path.join(sources, 'main.tsx'),
    tsconfig: path.join(sources, 'tsconfig.json'),
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  await mkdir(folder, { recursive: true });
  await write(folder, 'js', Buffer.from(output[0].code));
  await write(folder, 'css', await readFile(path.join(sources, 'style.css')));
}

async function write(folder: string, extension: string, content: Buffer): Promise<void> {
  const digest = createHash('sha256').update(content).digest('base64url').slice(0, 12);
  const file = path.join(folder, `console-${digest}.${extension}`);
  await writeFile(file, content);
  await writeFile(`${file}.br`, await promisify(brotliCompress)(content));
  await writeFile(`${file}.gz`, await promisify(gzip)(content));
}
