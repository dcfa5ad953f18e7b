import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { platformMetadata } from '../../../support/rules.ts';

/** An edit of one file of the metadata of the platform, or of all files in `tables/*`. */
interface Edit {
  readonly file: string;
  readonly replace?: string;
  /** A regular expression instead of a text. */
  readonly pattern?: string;
  readonly with: string;
}

/** A change of the metadata of the platform, as a pull request holds it. */
export interface PullRequest {
  readonly name: string;
  readonly title: string;
  /** Edits that both versions have. */
  readonly base?: readonly Edit[];
  readonly change: readonly Edit[];
  /** A change of the tables that comes with the new version. */
  readonly sql?: string;
}

export const goldenFolder = path.resolve(import.meta.dirname, '../golden');

export async function readPullRequests(): Promise<readonly PullRequest[]> {
  const names = (await readdir(goldenFolder)).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(path.join(goldenFolder, name, 'change.yaml'), 'utf8');
      return { name, ...parse(text) };
    }),
  );
}

/** Writes the metadata of the platform with edits into a folder. */
export async function writeEdited(folder: string, edits: readonly Edit[]): Promise<void> {
  await cp(platformMetadata, folder, { recursive: true });
  for (const edit of edits) await applyEdit(folder, edit);
}

/** @throws Error if the edit changes nothing */
async function applyEdit(folder: string, edit: Edit): Promise<void> {
  const tables = (await readdir(path.join(folder, 'tables'))).map((name) => `tables/${name}`);
  const files = edit.file === 'tables/*' ? tables : [edit.file];
  const changed = await Promise.all(
    files.map(async (name) => {
      const file = path.join(folder, name);
      const text = await readFile(file, 'utf8');
      const sought =
        edit.pattern === undefined ? (edit.replace ?? '') : new RegExp(edit.pattern, 'g');
      const edited = text.replaceAll(sought, () => edit.with);
      await writeFile(file, edited);
      return edited !== text;
    }),
  );
  if (!changed.includes(true)) throw new Error(`the edit of ${edit.file} changes nothing`);
}
