import type { CatalogData } from '../catalog/types.ts';
import type { Diagnostic } from '../diagnostics.ts';
import { MetadataError } from '../errors.ts';
import { offlineFindings } from '../lint/all-findings.ts';
import type { ParsedFiles } from '../metadata/read-file.ts';
import { type LoadedModel, type LoadModelOptions, resolveOffline } from '../model/load-model.ts';
import { reviewFindings } from '../review/review-findings.ts';
import { runInSlices } from '../types/steps.ts';

/** A metadata folder, resolved against a catalog: its rules with their findings, or its mistakes. */
export type ResolvedFolder =
  | {
      readonly kind: 'resolved';
      readonly loaded: LoadedModel;
      /** The findings that need no database and that rowgate.yaml does not accept. */
      readonly findings: readonly Diagnostic[];
    }
  | { readonly kind: 'mistaken'; readonly mistakes: readonly Diagnostic[] };

/** Resolves a metadata folder, with drafts in place of some files, without a database. */
export async function resolveFolder(
  catalog: CatalogData,
  options: Omit<LoadModelOptions, 'client'>,
  parsed: ParsedFiles,
): Promise<ResolvedFolder> {
  try {
    const loaded = await resolveOffline(catalog, options, parsed);
    const found = [...offlineFindings(loaded), ...(await runInSlices(reviewFindings(loaded)))];
    const findings = found.filter(({ accepted }) => accepted === undefined);
    return { kind: 'resolved', loaded, findings };
  } catch (error) {
    if (!(error instanceof MetadataError)) throw error;
    return { kind: 'mistaken', mistakes: error.diagnostics };
  }
}
