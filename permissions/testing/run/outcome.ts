/** The result of an expectation. */
export type Outcome =
  | {
      readonly kind: 'passed';
      /**
       * Whether the principal saw a row or wrote one. An expectation of refusals alone would also pass if the table
       * were empty.
       */
      readonly isPositive: boolean;
    }
  /** Each line says what differs. */
  | { readonly kind: 'failed'; readonly lines: readonly string[] };

export function outcomeOf(lines: readonly string[], isPositive: boolean): Outcome {
  return lines.length > 0 ? { kind: 'failed', lines } : { kind: 'passed', isPositive };
}

/** Returns a list for a message: `draft, paid`, or `none`. */
export function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}

/** Returns lines about the difference of two lists, e.g. `sees too: paid`. */
export function differences(
  expected: readonly string[],
  found: readonly string[],
  words: { readonly extra: string; readonly missing: string },
): readonly string[] {
  const extra = found.filter((name) => !expected.includes(name));
  const missing = expected.filter((name) => !found.includes(name));
  return [
    ...(extra.length > 0 ? [`${words.extra}: ${extra.join(', ')}`] : []),
    ...(missing.length > 0 ? [`${words.missing}: ${missing.join(', ')}`] : []),
  ];
}
