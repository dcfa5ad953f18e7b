import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { formatDiagnostic, Report } from '../../../permissions/diagnostics.ts';
import type { RawMetadata } from '../../../permissions/metadata/load-metadata.ts';
import { loadMetadata } from '../../../permissions/metadata/load-metadata.ts';

/** Contents of the files in a metadata folder, by name. A name that ends in a slash is a folder. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** The minimum contents of a metadata folder. */
export const minimalFiles: Files = { 'roles.yaml': 'roles: {}\n', 'tables/': '' };

/** Writes a metadata folder, which is removed after the test. */
export async function makeFolder(files: Files): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'rowgate-metadata-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    const target = path.join(folder, name);
    await mkdir(name.endsWith('/') ? target : path.dirname(target), { recursive: true });
    if (!name.endsWith('/')) await writeFile(target, content);
  }
  return folder;
}

/** Loads a folder. Paths in the messages are relative to the folder. */
export async function load(
  folder: string,
): Promise<{ readonly metadata: RawMetadata | undefined; readonly messages: readonly string[] }> {
  const report = new Report();
  const metadata = await loadMetadata(folder, report);
  const messages = report.diagnostics.map(formatDiagnostic);
  return { metadata, messages: messages.map((message) => message.replaceAll(`${folder}/`, '')) };
}

/** Returns the messages about a folder with the minimal files and these files. */
export async function messagesFor(files: Files): Promise<readonly string[]> {
  return (await load(await makeFolder({ ...minimalFiles, ...files }))).messages;
}

/** Returns the messages about one file in tables/, without the name of the file. */
export async function messagesForTable(text: string | Uint8Array): Promise<readonly string[]> {
  const messages = await messagesFor({ 'tables/t.yaml': text });
  return messages.map((message) => message.replace(/^tables\/t\.yaml:/, ''));
}
