import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, normalize, sep } from 'node:path';
import type { AppliedMetadata } from './applied-metadata.ts';

/** Writes recorded files, or others of a metadata folder, into a temporary folder while `work` runs. */
export async function withRecordedFolder<T>(
  { files }: Pick<AppliedMetadata, 'files'>,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'rowgate-applied-'));
  try {
    await writeRecorded(files, folder);
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes recorded files. A path that leads out of the folder is left out: rows of a table are no trusted paths. */
export async function writeRecorded(
  files: AppliedMetadata['files'],
  folder: string,
): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const file = normalize(join(folder, path));
    if (!file.startsWith(folder + sep)) continue;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}
