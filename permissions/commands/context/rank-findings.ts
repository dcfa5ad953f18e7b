import type { Diagnostic, DiagnosticCode } from '../../diagnostics.ts';

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
]);

/** Codes of warnings that concern time and space alone. They come last. */
const COST: ReadonlySet<DiagnosticCode> = new Set<DiagnosticCode>([
  ...(['RG_UNINDEXED', 'RG_NOT_LEAKPROOF', 'RG_FK_UNINDEXED', 'RG_DUPLICATE_INDEX'] as const),
]);

/** Sorts findings by their weight: errors, warnings about access, other warnings, and warnings about cost. */
export function rankFindings(findings: readonly Diagnostic[]): readonly Diagnostic[] {
  return findings.toSorted((a, b) => rankOf(a) - rankOf(b));
}

function rankOf({ severity, code }: Diagnostic): number {
  if (severity === 'error') return 0;
  if (ACCESS.has(code)) return 1;
  return COST.has(code) ? 3 : 2;
}

/** The numbers of findings, for programs. */
export interface FindingCounts {
  readonly errors: number;
  readonly warnings: number;
  readonly accepted: number;
}

export function countFindings(findings: readonly Diagnostic[]): FindingCounts {
  const open = findings.filter(({ accepted }) => accepted === undefined);
  const errors = open.filter(({ severity }) => severity === 'error').length;
  return {
    errors,
    warnings: open.length - errors,
    accepted: findings.length - open.length,
  };
}

/** Returns a line such as `1 error, 3 warnings (1 about access, 2 about cost), 1 accepted`. */
export function describeCounts(findings: readonly Diagnostic[]): string {
  const { errors, warnings, accepted } = countFindings(findings);
  const parts = [
    ...(errors > 0 ? [plural(errors, 'error')] : []),
    ...(warnings > 0 ? [`${plural(warnings, 'warning')}${weightsOf(findings)}`] : []),
    ...(accepted > 0 ? [`${accepted} accepted`] : []),
  ];
  return parts.join(', ');
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

function weightsOf(findings: readonly Diagnostic[]): string {
  const open = findings.filter(({ accepted }) => accepted === undefined);
  const parts = ['', 'about access', 'about other things', 'about cost'].flatMap((words, rank) => {
    const count = open.filter((one) => rankOf(one) === rank).length;
    return rank === 0 || count === 0 ? [] : [`${count} ${words}`];
  });
  return ` (${parts.join(', ')})`;
}
