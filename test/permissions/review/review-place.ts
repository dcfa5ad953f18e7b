import { type DiagnosticCode, formatDiagnostic } from '../../../permissions/diagnostics.ts';
import { reviewFindings } from '../../../permissions/review/review-findings.ts';
import { runAtOnce } from '../../../permissions/types/steps.ts';
import { withPrepared } from '../lint/with-prepared.ts';
import { type Installation, makeInstallation } from '../support/installation.ts';
import { type MetadataFiles, removeMetadata } from '../support/metadata-files.ts';

/** A database whose rules are reviewed. */
export interface ReviewPlace {
  readonly installation: Installation;
  /** Returns the findings of one code about the files, as check prints them. */
  findingsOf(code: DiagnosticCode, files: MetadataFiles): Promise<readonly string[]>;
  drop(): Promise<void>;
}

export async function makeReviewPlace(schema: string): Promise<ReviewPlace> {
  const installation = await makeInstallation({ schema, rules: {} });
  return {
    installation,
    findingsOf: async (code, files) => {
      await installation.rewrite(files);
      const { owner, metadata } = installation;
      const findings = await withPrepared(owner, installation, async ({ loaded }) =>
        runAtOnce(reviewFindings(loaded)),
      );
      return findings
        .filter((one) => one.code === code)
        .map((one) => formatDiagnostic(one).replaceAll(`${metadata}/`, ''));
    },
    drop: async () => {
      await installation.drop();
      await removeMetadata();
    },
  };
}
