import type { AppliedMetadata } from '../apply/history/applied-metadata.ts';
import { withRecordedFolder } from '../apply/history/recorded-folder.ts';
import { rankChanges } from './change.ts';
import { compareVersions } from './compare/compare-versions.ts';
import { loadVersion, type Naming } from './load/version.ts';
import type { ReportedChange } from './report.ts';

/**
 * Compares the recorded metadata of two applies, each with the tables of its time. The heaviest change comes first.
 * @throws MetadataError if this version of the program cannot read one of them
 */
export function compareApplies(
  before: AppliedMetadata,
  after: AppliedMetadata,
  naming: Naming,
): Promise<readonly ReportedChange[]> {
  return withRecordedFolder(before, (old) =>
    withRecordedFolder(after, async (next) => {
      const version = (label: string, folder: string, { catalog }: AppliedMetadata) =>
        loadVersion({ label, folder, shownFolder: 'metadata', catalog }, naming);
      const [one, other] = [
        await version('before', old, before),
        await version('after', next, after),
      ];
      const changes = compareVersions(one, other);
      return rankChanges(changes.map((change) => ({ ...change, evidence: undefined })));
    }),
  );
}
