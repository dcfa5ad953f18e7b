import { type Diagnostic, Report } from '../diagnostics.ts';
import type { AcceptedFinding } from '../metadata/schemas/settings.ts';

/** Marks the warnings and notices that rowgate.yaml accepts with its reason. Errors are never accepted. */
export function markAccepted(
  findings: readonly Diagnostic[],
  accepted: readonly AcceptedFinding[],
): readonly Diagnostic[] {
  return findings.map((finding) => {
    const entry = accepted.find((one) => isMeant(finding, one));
    return entry && finding.severity !== 'error' ? { ...finding, accepted: entry.reason } : finding;
  });
}

/** Returns a warning for each entry that accepts nothing, so that the list does not outlive what it was written for. */
export function unusedAcceptances(
  findings: readonly Diagnostic[],
  accepted: readonly AcceptedFinding[],
): readonly Diagnostic[] {
  const report = new Report();
  for (const entry of accepted) {
    const meant = findings.filter((one) => isMeant(one, entry));
    if (meant.some(({ severity }) => severity !== 'error')) continue;
    const { position } = entry.finding;
    if (meant.length > 0) {
      const message = `an error cannot be accepted: ${entry.code} ${entry.finding.name}`;
      report.warning('RG_ACCEPTED', position, message, 'correct the error, and remove the entry');
      continue;
    }
    const message = `check has no such warning to accept: ${entry.code} ${entry.finding.name}`;
    const hint = 'remove the entry, or copy the sentence from check, without its place and hint';
    report.warning('RG_ACCEPTED', position, message, hint);
  }
  return report.diagnostics;
}

function isMeant({ code, message }: Diagnostic, entry: AcceptedFinding): boolean {
  return code === entry.code && message === entry.finding.name;
}
