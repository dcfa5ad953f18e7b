import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Contents of files by name within a metadata folder. */
export type MetadataFiles = Readonly<Record<string, string>>;

const made: string[] = [];

/** Writes a metadata folder; `removeMetadata` removes it. */
export async function writeMetadata(files: MetadataFiles): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'rowgate-rules-'));
  made.push(folder);
  await overwriteMetadata(folder, files);
  return folder;
}

/** Writes a folder with exactly these files. */
export async function overwriteMetadata(folder: string, files: MetadataFiles): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(path.join(folder, 'tables'), { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
}

/** Removes the folders of writeMetadata. Must be called in afterAll. */
export async function removeMetadata(): Promise<void> {
  for (const folder of made.splice(0)) await rm(folder, { recursive: true, force: true });
}
