import type { TableKey, VariableName } from '../../types/names.ts';

/** How the rows of the new rule relate to the rows of the old rule. `crossed`: rows are gained and lost. */
export type RowVerdict = 'same' | 'wider' | 'narrower' | 'crossed' | 'undecided';

/** Cells by column, as text that Postgres reads. A column that is absent is null. */
export type WitnessRow = Readonly<Record<string, string | null>>;

/** A condition on the witness without which it would not show the difference, in words. */
export interface CountingCondition {
  /**
   * `column`: a column of the row. `related`: a column of a related row, or a related row as a whole. `variable`: a
   * session variable is missing.
   */
  readonly kind: 'column' | 'related' | 'variable';
  /** The condition as part of a sentence, e.g. `status is 'archived'`. */
  readonly words: string;
}

/** A smallest row, with related rows and session variables, that one rule lets through and the other refuses. */
export interface Witness {
  readonly table: TableKey;
  /** The row itself. Columns that neither rule reads are left out. */
  readonly row: WitnessRow;
  /** Other rows that exist. The row itself is not among them. */
  readonly related: readonly { readonly table: TableKey; readonly row: WitnessRow }[];
  /** Session variables as text. A variable that is absent is missing in the request. */
  readonly variables: Readonly<Record<VariableName, string>>;
  /** The start time of the transaction, if the difference depends on it. */
  readonly now?: string;
  /** The conditions that count, the most telling first. Empty: every row shows the difference. */
  readonly counts: readonly CountingCondition[];
}

export interface RowComparison {
  readonly verdict: RowVerdict;
  /** A row that only the new rule lets through. */
  readonly gained?: Witness;
  /** A row that only the old rule lets through. */
  readonly lost?: Witness;
  /** Why the rules are undecided: the operators without a model, or the limit that was reached. */
  readonly reason?: string;
}
