import type { Catalog } from '../catalog/catalog.ts';
import { type Diagnostic, Report } from '../diagnostics.ts';
import { MetadataError } from '../errors.ts';
import { maxFileSize } from '../metadata/files/read-source.ts';
import { decodeMetadata } from '../metadata/load-metadata.ts';
import { buildModel, type ModelOptions } from '../model/build-model.ts';
import { type Draft, makeDraft } from './draft.ts';
import { dropFunction } from './drop-function.ts';
import { dropSubject } from './drop-subject.ts';
import { type FolderFile, folderFiles } from './folder-files.ts';
import type { ImportReport } from './hasura/import-report.ts';
import type { Imported } from './hasura/imported.ts';

/** The options with which the resulting folder is checked. */
export interface SettleOptions extends ModelOptions {
  /** The database to check names and types against. Absent: they are not checked. */
  readonly catalog: Catalog | undefined;
}

/** An import without the parts that Rowgate refuses, with its files. */
export interface Settled {
  readonly imported: Imported;
  readonly files: readonly FolderFile[];
}

/**
 * Checks an import like a metadata folder, and omits the parts that Rowgate refuses. The check repeats until Rowgate
 * refuses nothing, because omitting one part can make another part invalid.
 * @throws MetadataError for a mistake that no omission removes
 */
export async function settle(
  imported: Imported,
  options: SettleOptions,
  report: ImportReport,
): Promise<Settled> {
  for (let current = imported; ; ) {
    const files = folderFiles(current, options.headerPrefix);
    const found = new Report();
    const draft = makeDraft(files, current, found);
    const mistakes = await mistakesIn(draft, files, options, found);
    if (mistakes.length === 0) return { imported: current, files };
    current = withoutMistakes(current, mistakes, draft, report);
  }
}

/** Returns the mistakes in an import, in the order of its files. */
async function mistakesIn(
  draft: Draft,
  files: readonly FolderFile[],
  options: SettleOptions,
  found: Report,
): Promise<readonly Diagnostic[]> {
  for (const file of files) refuseSize(file, draft, found);
  if (!found.hasErrors) {
    const raw = await decodeMetadata(draft.roots, found);
    if (raw && options.catalog) buildModel(raw, options.catalog, options, found);
  }
  return found.diagnostics
    .filter(({ severity }) => severity === 'error')
    .toSorted((a, b) => draft.orderOf(a.position) - draft.orderOf(b.position));
}

/** Reports a file that is too large, because Rowgate could not read it later. */
function refuseSize({ path, text }: FolderFile, { roots }: Draft, found: Report): void {
  const size = Buffer.byteLength(text);
  if (size <= maxFileSize) return;
  const message = `the file holds ${size} bytes, more than ${maxFileSize}`;
  const hint = 'split it, one table a file';
  found.error('RG_FILE_TOO_LARGE', roots.get(path)?.position, message, hint);
}

function withoutMistakes(
  imported: Imported,
  mistakes: readonly Diagnostic[],
  draft: Draft,
  report: ImportReport,
): Imported {
  let current = imported;
  const about = mistakes.map((mistake) => ({ mistake, origin: draft.originOf(mistake.position) }));
  // Computed fields with mistakes are dropped first, alone. A rule that lists such a field then loses only the field;
  // the next round of `settle` checks what remains.
  const fields = about.filter(({ origin }) => origin?.subject.kind === 'computed field');
  for (const { mistake, origin } of fields.length > 0 ? fields : about) {
    if (origin?.file.called) {
      current = dropFunction(current, origin.file.called, mistake, report);
      continue;
    }
    const { file, subject } = origin ?? {};
    const reduced = subject && dropSubject(current, file?.table, subject, mistake, report);
    if (!reduced) throw new MetadataError(mistakes);
    current = reduced;
  }
  return current;
}
