import { sep } from 'node:path';
import type pg from 'pg';
import { readAppliedMetadata } from '../apply/history/apply-history.ts';
import { withRecordedFolder } from '../apply/history/recorded-folder.ts';
import { MetadataError } from '../errors.ts';
import type { Prepared } from '../plan/prepare.ts';
import { compareVersions } from './compare/compare-versions.ts';
import { loadVersion, type Naming, versionOf } from './load/version.ts';
import type { DiffReport } from './report.ts';

/** The difference between the last apply and the next one, or the reason why there is none. */
export type AppliedDifference =
  | { readonly kind: 'compared'; readonly report: DiffReport }
  | { readonly kind: 'omitted'; readonly reason: string };

type Comparer = (client: pg.ClientBase, prepared: Prepared) => Promise<AppliedDifference>;

/**
 * Returns a comparison of the metadata of the last apply with the metadata that a plan was made from. It compares again
 * only when one of the two has changed, because an apply asks first and tries again when it meets locks.
 */
export function appliedComparer(options: Naming & { readonly metadata: string }): Comparer {
  let last: { readonly key: string; readonly difference: AppliedDifference } | undefined;
  return async (client, prepared) => {
    const { installation, loaded } = prepared;
    const key = JSON.stringify([installation.fingerprint, loaded.model.fingerprint]);
    if (last?.key !== key)
      last = { key, difference: await compareWithApplied(client, prepared, options) };
    return last.difference;
  };
}

const label = 'the last apply';

/** Compares the metadata of the last apply with the metadata that a plan was made from. */
export async function compareWithApplied(
  client: pg.ClientBase,
  { loaded, installation }: Prepared,
  options: Naming & { readonly metadata: string },
): Promise<AppliedDifference> {
  const { model } = loaded;
  const names = { before: label, after: options.metadata };
  if (installation.fingerprint === model.fingerprint)
    return { kind: 'compared', report: { ...names, changes: [] } };
  const applied = await readAppliedMetadata(client);
  if (!applied || installation.fingerprint === null)
    return { kind: 'omitted', reason: 'no apply has recorded its metadata yet' };
  const folder = options.metadata;
  const shown = { folder, shownFolder: folder.split(sep).join('/') };
  const after = await versionOf(model, { ...shown, label: names.after });
  return withRecordedFolder(applied, async (old) => {
    try {
      const source = { label, folder: old, shownFolder: shown.shownFolder };
      const before = await loadVersion({ ...source, catalog: applied.catalog }, options);
      // The record leaves out how callers are identified, because that may contain keys.
      const comparable = { ...after, settings: after.settings && withoutCallers(after.settings) };
      const changes = compareVersions(before, comparable);
      const reported = changes.map((one) => ({ ...one, evidence: undefined }));
      return { kind: 'compared', report: { ...names, changes: reported } };
    } catch (error) {
      if (!(error instanceof MetadataError)) throw error;
      const reason = 'this version of the program cannot read the metadata of the last apply';
      return { kind: 'omitted', reason };
    }
  });
}

function withoutCallers<T extends { readonly authentication?: unknown }>(settings: T): T {
  return { ...settings, authentication: undefined };
}
