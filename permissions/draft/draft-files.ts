import { createHash, randomUUID } from 'node:crypto';
import { chmod, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { Report } from '../diagnostics.ts';
import { CommandError, MetadataError } from '../errors.ts';
import { reported } from '../init/write-new-files.ts';
import { findFiles } from '../metadata/files/find-files.ts';
import { readSource } from '../metadata/files/read-source.ts';
import { quote } from '../text/characters.ts';
import { didYouMean } from '../text/nearest.ts';

/** A file with rules, as it is on disk. */
export interface DraftFile {
  /** The path within the metadata folder. */
  readonly file: string;
  readonly text: string;
  /** Another text has another digest. */
  readonly digest: string;
}

/**
 * Lists the files whose drafts can be checked: roles, named filters, tables and functions. Other files can hold keys of
 * authentication, or settings of the server.
 * @throws MetadataError when the folder cannot be read
 */
export async function listDraftFiles(metadata: string): Promise<readonly string[]> {
  const report = new Report();
  const found = await findFiles(metadata, report);
  if (!found) throw new MetadataError(report.diagnostics);
  const { roles, filters, tables, functions } = found;
  return [roles, filters, ...tables, ...functions]
    .filter((path) => path !== undefined)
    .map((path) => relative(metadata, path).split(sep).join('/'));
}

/** @throws CommandError RG_USAGE for another file, MetadataError when it cannot be read */
export async function readDraftFile(metadata: string, file: string): Promise<DraftFile> {
  const files = await listDraftFiles(metadata);
  if (!files.includes(file)) {
    throw new CommandError('RG_USAGE', `the metadata folder has no file ${quote(file)} of rules`, {
      ...{ exitCode: 2, hint: didYouMean(file, files) },
    });
  }
  const report = new Report();
  const text = await readSource(join(metadata, file), report);
  if (text === undefined) throw new MetadataError(report.diagnostics);
  return { file, text, digest: digestOf(text) };
}

/**
 * Replaces a file at once: readers see the old text or the new one. A byte order mark and the rights of the file stay.
 * @param draft the new text, with the digest of the text that it was made from
 * @throws CommandError RG_FILE_CHANGED when the file has another text now
 */
export async function writeDraftFile(metadata: string, draft: DraftFile): Promise<DraftFile> {
  const { file, text } = draft;
  const now = await readDraftFile(metadata, file);
  if (now.digest !== draft.digest) {
    throw new CommandError('RG_FILE_CHANGED', `${file} was changed since it was opened`, {
      ...{ exitCode: 1, hint: 'nothing was written; keep your text, and open the file again' },
    });
  }
  const target = await targetIn(metadata, file);
  const mark = (await readFile(target, 'utf8')).startsWith('\ufeff') ? '\ufeff' : '';
  await reported(target, () => replaceAtOnce(target, mark + text));
  return { file, text, digest: digestOf(text) };
}

/** Returns the path behind all links. @throws CommandError for a link that leads out of the folder */
async function targetIn(metadata: string, file: string): Promise<string> {
  const [folder, target] = await Promise.all([realpath(metadata), realpath(join(metadata, file))]);
  if (target.startsWith(folder + sep)) return target;
  throw new CommandError('RG_USAGE', `${file} is a link that leads out of the metadata folder`, {
    ...{ exitCode: 2, hint: 'change the file that it leads to with an editor' },
  });
}

async function replaceAtOnce(target: string, text: string): Promise<void> {
  // Reading the metadata skips names that begin with a dot.
  const beside = join(dirname(target), `.draft-${randomUUID()}`);
  try {
    await writeFile(beside, text, { flag: 'wx' });
    await chmod(beside, (await stat(target)).mode);
    await rename(beside, target);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
