import type { ValueType } from '../../evaluate/values.ts';

/** A set of the relations `less`, `equal` and `greater` that two values may have. */
export type Relations = number;
export const less = 1;
export const equal = 2;
export const greater = 4;
export const anyRelation = less | equal | greater;

/** A value in a comparison: of a column, a variable, a constant, or the current time. */
export interface Term {
  /** Identifies the value. Terms with the same key and family have the same value. */
  readonly key: string;
  /** Values are comparable within a family, e.g. all numbers. */
  readonly family: string;
  /** How the values compare, if that is known. */
  readonly type: ValueType | undefined;
  /** The value, if it is known. */
  readonly constant?: string;
}

/**
 * A rule's condition in terms of facts about rows. `subjects` are the columns that may be null: a fact about values is
 * unknown if one of them is null.
 */
export type Formula =
  | { readonly kind: 'and' | 'or'; readonly items: readonly Formula[] }
  | { readonly kind: 'not'; readonly item: Formula }
  /** Unknown in every row, e.g. a comparison with null. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'isNull'; readonly subject: string }
  /** Never unknown, e.g. whether a session variable is set. */
  | { readonly kind: 'flag'; readonly key: string }
  | {
      readonly kind: 'order';
      readonly subjects: readonly string[];
      readonly left: Term;
      readonly right: Term;
      readonly relations: Relations;
    }
  /** A comparison that is unknown exactly if a subject is null. */
  | {
      readonly kind: 'strict';
      readonly subjects: readonly string[];
      readonly key: string;
      readonly like?: LikeTest;
    }
  /** A condition about which nothing is known. */
  | { readonly kind: 'free'; readonly key: string }
  /** Whether a row exists that satisfies a condition. Never unknown. */
  | { readonly kind: 'rows'; readonly rows: Rows };

/** `text like pattern` for a pattern that is known. */
export interface LikeTest {
  readonly text: Term;
  readonly pattern: string;
  readonly blindToCase: boolean;
}

/** The rows of one table, as far as a condition leads to them. */
export interface Rows {
  /** The table, or the call of a function that returns rows. */
  readonly source: string;
  /** The condition on a row with the given name: the equal columns of the relationship, and the rule's condition. */
  readonly condition: (row: string) => Formula;
  /** The equal columns of the relationship alone. */
  readonly link: (row: string) => Formula;
  /** Equal for conditions that lead to the same single row, because a unique key finds it. */
  readonly single: string | undefined;
  /** Whether a row certainly satisfies `link`. */
  readonly isCertain: boolean;
}

/** A formula that must be true (T), false (F), not true (NT) or not false (NF). */
export interface Goal {
  readonly formula: Formula;
  readonly want: Want;
}

export type Want = 'T' | 'F' | 'NT' | 'NF';

export const always: Formula = { kind: 'and', items: [] };
export const never: Formula = { kind: 'or', items: [] };
