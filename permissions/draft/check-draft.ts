import type { Diagnostic, Position } from '../diagnostics.ts';
import { compareVersions } from '../diff/compare/compare-versions.ts';
import type { Version } from '../diff/load/version.ts';
import type { DiffReport } from '../diff/report.ts';
import type { LoadedModel } from '../model/load-model.ts';
import type { Model } from '../types/model.ts';
import type { ResolvedFolder } from './resolve-folder.ts';

/** What a draft means, compared with the files. */
export type CheckedDraft =
  | { readonly kind: 'mistaken'; readonly mistakes: readonly Diagnostic[] }
  | {
      readonly kind: 'checked';
      /** Findings that the files do not have. */
      readonly findings: readonly Diagnostic[];
      /** How many findings of the files the draft removes. */
      readonly gone: number;
      /** The changed meaning. Undefined: the files have mistakes, so nothing can be compared. */
      readonly report: DiffReport | undefined;
      /** The rules of the draft. */
      readonly model: Model;
    };

/** Compares a draft with the files that it replaces. It needs no database. */
export function checkDraft(before: ResolvedFolder, after: ResolvedFolder): CheckedDraft {
  if (after.kind === 'mistaken') return after;
  const old = before.kind === 'resolved' ? before.findings : [];
  const findings = without(after.findings, old);
  const gone = without(old, after.findings).length;
  const { loaded } = after;
  const report = reportOf(before, loaded);
  return { kind: 'checked', findings, gone, report, model: loaded.model };
}

function reportOf(before: ResolvedFolder, after: LoadedModel): DiffReport | undefined {
  if (before.kind === 'mistaken') return undefined;
  const labels = { before: 'the files', after: 'the draft' };
  const [old, now] = [versionOf(before.loaded, labels.before), versionOf(after, labels.after)];
  const changes = compareVersions(old, now).map((one) => ({ ...one, evidence: undefined }));
  return { ...labels, changes };
}

/** Drafts are of files with rules, so the settings of both versions are the same and need no comparison. */
function versionOf({ model, raw }: LoadedModel, label: string): Version {
  const positions = new Map(raw.roles.map(({ name, position }) => [name, position]));
  return {
    ...{ label, model, settings: undefined },
    placeOf,
    placeOfRole: (name) => placeOf(positions.get(name)),
  };
}

function placeOf(position: Position | undefined) {
  return position && { ...position, file: position.inFolder ?? position.file };
}

/** Returns the findings that others lack. Edits move the lines of findings, so their places do not count. */
function without(
  findings: readonly Diagnostic[],
  others: readonly Diagnostic[],
): readonly Diagnostic[] {
  const keyOf = ({ code, message }: Diagnostic) => `${code} ${message}`;
  const known = new Set(others.map(keyOf));
  return findings.filter((one) => !known.has(keyOf(one)));
}
