import type { Change } from './change.ts';

/** How many existing rows a role gains or loses. */
export interface RowCount {
  /** Undefined: the rows were not counted, and `cutOff` says why. */
  readonly rows: number | undefined;
  /** How many rows the table has; undefined when they were not counted. */
  readonly total: number | undefined;
  /** Whether there can be more rows, because callers with other session variables may see others. */
  readonly isAtLeast: boolean;
  /** Why the count was cut off; undefined when it is complete. */
  readonly cutOff: string | undefined;
}

/** The findings of Postgres about a change of rows. */
export interface Evidence {
  readonly gained: RowCount | undefined;
  readonly lost: RowCount | undefined;
  /** Whether Postgres treats the counterexamples as the comparison does; undefined when they were not replayed. */
  readonly replay: Replay | undefined;
}

export type Replay =
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'contradicted'; readonly reason: string }
  | { readonly kind: 'not replayed'; readonly reason: string };

/** A change with the evidence from a database. */
export interface ReportedChange extends Change {
  readonly evidence: Evidence | undefined;
}

/** The result of a comparison, as every output shows it. */
export interface DiffReport {
  /** The names of both versions, e.g. `HEAD` and `metadata`. */
  readonly before: string;
  readonly after: string;
  readonly changes: readonly ReportedChange[];
}

/** Returns the evidence of a change in words, one line each. */
export function evidenceLines({ evidence }: Pick<ReportedChange, 'evidence'>): readonly string[] {
  if (!evidence) return [];
  const { gained, lost, replay } = evidence;
  return [
    ...(gained ? [`existing rows gained: ${countText(gained)}`] : []),
    ...(lost ? [`existing rows lost: ${countText(lost)}`] : []),
    ...(replay?.kind === 'contradicted'
      ? [`Postgres contradicts the example: ${replay.reason}`]
      : []),
    ...(replay?.kind === 'not replayed' ? [`example not replayed: ${replay.reason}`] : []),
  ];
}

function countText({ rows, total, isAtLeast, cutOff }: RowCount): string {
  if (rows === undefined) return `not counted: ${cutOff ?? 'the reason is unknown'}`;
  const count = `${rows} of ${total ?? rows}`;
  // A rule about the caller gives each caller other rows.
  return isAtLeast ? `at least ${count}, for all callers of the role together` : count;
}
