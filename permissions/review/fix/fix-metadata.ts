import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withRecordedFolder } from '../../apply/history/recorded-folder.ts';
import { CommandError } from '../../errors.ts';
import { replaceFile, reported } from '../../init/write-new-files.ts';
import { type LoadedModel, type LoadModelOptions, resolveOffline } from '../../model/load-model.ts';
import { type EditedText, editText } from './edit-text.ts';
import { type Fix, findFixes } from './find-fixes.ts';

/** A file with its fixes. */
export interface FixedFile extends EditedText {
  /** The path within the metadata folder. */
  readonly path: string;
  readonly before: string;
}

type Options = Omit<LoadModelOptions, 'client'>;

/**
 * Returns the files of the metadata with all fixes made, without writing them. The result is loaded and compared, so
 * that no fix changes the meaning.
 */
export async function fixMetadata(
  loaded: LoadedModel,
  options: Options,
): Promise<readonly FixedFile[]> {
  const byPath = Map.groupBy(findFixes(loaded), pathOf);
  const files = [...byPath].flatMap(([path, fixes]) => {
    const before = loaded.raw.texts[path];
    return before === undefined ? [] : [{ path, before, ...editText(before, fixes) }];
  });
  if (!files.some(({ done }) => done.length > 0)) return files;
  await refuseOtherMeaning(loaded, files, options);
  return files;
}

function pathOf({ position: { inFolder, file } }: Fix): string {
  return inFolder ?? file;
}

async function refuseOtherMeaning(
  { model, catalog, raw }: LoadedModel,
  files: readonly FixedFile[],
  options: Options,
): Promise<void> {
  const texts = {
    ...raw.texts,
    ...Object.fromEntries(files.map(({ path, text }) => [path, text])),
  };
  const fixed = await withRecordedFolder({ files: texts }, (folder) =>
    resolveOffline(catalog.data, { ...options, metadata: folder }),
  );
  if (fixed.model.fingerprint === model.fingerprint) return;
  throw new Error('a fix would change the meaning of the metadata; nothing was written');
}

/**
 * Writes fixed files.
 * @throws CommandError RG_FILE_CHANGED, before anything is written, when a file is no longer as it was read
 */
export async function writeFixes(folder: string, files: readonly FixedFile[]): Promise<void> {
  const changed = files.filter(({ done }) => done.length > 0);
  const marks = new Map<string, string>();
  for (const { path, before } of changed) {
    const target = join(folder, path);
    const now = await reported(target, () => readFile(target, 'utf8'));
    // Texts that were read have no byte order mark. A file that has one keeps it.
    const mark = now.startsWith('\ufeff') ? '\ufeff' : '';
    marks.set(path, mark);
    if (now === mark + before) continue;
    throw new CommandError('RG_FILE_CHANGED', `${target} was changed while check ran`, {
      hint: 'nothing was written; run check --fix again',
      exitCode: 1,
    });
  }
  for (const { path, text } of changed)
    await replaceFile(folder, { path, text: `${marks.get(path) ?? ''}${text}` });
}
