import type { Diagnostic, DiagnosticCode, Severity } from '../../diagnostics.ts';
import { counted } from '../../text/counted.ts';

/** Codes of warnings that concern what callers may see or write. They come before all other warnings. */
const ACCESS: ReadonlySet<DiagnosticCode> = new Set<DiagnosticCode>([
  ...(['RG_BYPASS', 'RG_EXTRA_PRIVILEGE', 'RG_SCHEMA_WRITABLE', 'RG_FOREIGN_POLICY'] as const),
  ...(['RG_OPEN_VIEW', 'RG_UNMANAGED_TABLE', 'RG_UNMANAGED_PARENT', 'RG_REWRITE_RULE'] as const),
  ...(['RG_DEFINER_FUNCTION', 'RG_DEFINER_TRIGGER', 'RG_SEARCH_PATH', 'RG_LEAKPROOF'] as const),
  ...(['RG_FOREIGN_FUNCTION', 'RG_DEFAULT_PRIVILEGE', 'RG_SETTING', 'RG_UPDATE_CHECK'] as const),
  ...([
    'RG_UNBOUND_EXISTS',
    'RG_VARIABLE_PATTERN',
    'RG_UPSERT_REVEALS',
    'RG_UNIQUE_REVEALS',
  ] as const),
  ...(['RG_ESTIMATE_REVEALS', 'RG_HIDDEN_KEY', 'RG_ENUM_WRITABLE'] as const),
  ...(['RG_ALL_ROWS', 'RG_CHECK_BEYOND_FILTER', 'RG_INSERT_WITHOUT_SELECT'] as const),
]);

/** Codes of warnings that concern time and space alone. They come last. */
const COST: ReadonlySet<DiagnosticCode> = new Set<DiagnosticCode>([
  ...(['RG_UNINDEXED', 'RG_NOT_LEAKPROOF', 'RG_FK_UNINDEXED', 'RG_DUPLICATE_INDEX'] as const),
]);

/** Sorts findings by their weight: errors, warnings about access, other warnings, warnings about cost, and notices. */
export function rankFindings(findings: readonly Diagnostic[]): readonly Diagnostic[] {
  return findings.toSorted((a, b) => rankOf(a) - rankOf(b));
}

function rankOf({ severity, code }: Diagnostic): number {
  if (severity === 'error') return 0;
  if (severity === 'notice') return 4;
  if (ACCESS.has(code)) return 1;
  return COST.has(code) ? 3 : 2;
}

/** The numbers of findings, for programs. */
export interface FindingCounts {
  readonly errors: number;
  readonly warnings: number;
  readonly notices: number;
  readonly accepted: number;
}

export function countFindings(findings: readonly Diagnostic[]): FindingCounts {
  const open = findings.filter(({ accepted }) => accepted === undefined);
  const count = (wanted: Severity) => open.filter(({ severity }) => severity === wanted).length;
  return {
    errors: count('error'),
    warnings: count('warning'),
    notices: count('notice'),
    accepted: findings.length - open.length,
  };
}

/** Returns a line such as `1 error, 3 warnings (1 about access, 2 about cost), 1 notice, 1 accepted`. */
export function describeCounts(findings: readonly Diagnostic[]): string {
  const { errors, warnings, notices, accepted } = countFindings(findings);
  const parts = [
    ...(errors > 0 ? [counted(errors, 'error')] : []),
    ...(warnings > 0 ? [`${counted(warnings, 'warning')}${weightsOf(findings)}`] : []),
    ...(notices > 0 ? [counted(notices, 'notice')] : []),
    ...(accepted > 0 ? [`${accepted} accepted`] : []),
  ];
  return parts.join(', ');
}

function weightsOf(findings: readonly Diagnostic[]): string {
  const open = findings.filter(({ accepted }) => accepted === undefined);
  const parts = ['', 'about access', 'about other things', 'about cost'].flatMap((words, rank) => {
    const count = open.filter((one) => rankOf(one) === rank).length;
    return rank === 0 || count === 0 ? [] : [`${count} ${words}`];
  });
  return ` (${parts.join(', ')})`;
}
