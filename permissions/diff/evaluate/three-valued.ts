/** A truth value in SQL. Null means unknown. */
export type Truth = boolean | null;

/** A truth value, or undefined where a part of the expression has no model, e.g. a user-defined function. */
export type Outcome = Truth | undefined;

/** Returns the SQL `and` of the values: false if any is false, true for an empty list. */
export function every(truths: readonly Truth[]): Truth;
export function every(outcomes: readonly Outcome[]): Outcome;
export function every(outcomes: readonly Outcome[]): Outcome {
  if (outcomes.includes(false)) return false;
  if (outcomes.includes(undefined)) return undefined;
  return outcomes.includes(null) ? null : true;
}

/** Returns the SQL `or` of the values: true if any is true, false for an empty list. */
export function some(truths: readonly Truth[]): Truth;
export function some(outcomes: readonly Outcome[]): Outcome;
export function some(outcomes: readonly Outcome[]): Outcome {
  if (outcomes.includes(true)) return true;
  if (outcomes.includes(undefined)) return undefined;
  return outcomes.includes(null) ? null : false;
}

export function not(truth: Truth): Truth;
export function not(outcome: Outcome): Outcome;
export function not(outcome: Outcome): Outcome {
  return typeof outcome === 'boolean' ? !outcome : outcome;
}
