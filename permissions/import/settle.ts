import { join, sep } from 'node:path';
import type { Catalog } from '../catalog/catalog.ts';
import { type Diagnostic, Report } from '../diagnostics.ts';
import { MetadataError } from '../errors.ts';
import { loadMetadata } from '../metadata/load-metadata.ts';
import { buildModel, type ModelOptions } from '../model/build-model.ts';
import { dropFunction } from './drop-function.ts';
import { dropSubject } from './drop-subject.ts';
import { type FolderFile, folderFiles } from './folder-files.ts';
import type { ImportReport } from './hasura/import-report.ts';
import type { Imported } from './hasura/imported.ts';
import { subjectAt } from './locate-subject.ts';
import { writeDraft } from './write-folder.ts';

/** What an import is checked against beside the rules of YAML. */
export interface SettleOptions extends ModelOptions {
  /** Absent: names and types are taken on trust. */
  readonly catalog: Catalog | undefined;
}

/**
 * Writes an import to the folder `draft` and leaves out what Rowgate itself refuses of it, until it refuses nothing.
 * @throws MetadataError for a mistake that nothing of the import can be left out for
 */
export async function settle(
  imported: Imported,
  draft: string,
  options: SettleOptions,
  report: ImportReport,
): Promise<Imported> {
  for (let current = imported; ; ) {
    const files = folderFiles(current, options.headerPrefix);
    await writeDraft(draft, files);
    const mistakes = await mistakesIn(draft, options);
    if (mistakes.length === 0) return current;
    current = withoutMistakes(current, mistakes, { draft, files, report });
  }
}

async function mistakesIn(draft: string, options: SettleOptions): Promise<readonly Diagnostic[]> {
  const found = new Report();
  const raw = await loadMetadata(draft, found);
  if (raw && options.catalog) buildModel(raw, options.catalog, options, found);
  return found.diagnostics.filter(({ severity }) => severity === 'error');
}

interface Draft {
  readonly draft: string;
  readonly files: readonly FolderFile[];
  readonly report: ImportReport;
}

function withoutMistakes(
  imported: Imported,
  mistakes: readonly Diagnostic[],
  { draft, files, report }: Draft,
): Imported {
  let current = imported;
  const about = mistakes.map((mistake) => {
    const { position } = mistake;
    const file = files.find(({ path }) => position?.file === slashed(join(draft, path)));
    const subject = file && position && subjectAt(file.text, position, file.path);
    return { mistake, subject, table: file?.table, called: file?.called };
  });
  // Whoever was to read a field that goes may read the rest of the row all the same.
  const fields = about.filter(({ subject }) => subject?.kind === 'computed field');
  for (const { mistake, subject, table, called } of fields.length > 0 ? fields : about) {
    if (called) {
      current = dropFunction(current, called, mistake, report);
      continue;
    }
    const reduced = subject && dropSubject(current, table, subject, mistake, report);
    if (!reduced) throw new MetadataError(mistakes);
    current = reduced;
  }
  return current;
}

function slashed(path: string): string {
  return path.split(sep).join('/');
}
