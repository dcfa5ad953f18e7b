import type { OperatorName, TableKey, TypeName, VariableName } from './names.ts';
import type { ComputedField, Relationship } from './tables.ts';

/** A column of the row under test, or of the row that the whole rule is about (`root`). */
export interface ColumnReference {
  readonly scope: 'row' | 'root';
  readonly column: string;
  readonly type: TypeName;
}

/** The result of a computed field's function for the row under test. */
export interface ComputedReference {
  readonly scope: 'row';
  readonly field: ComputedField;
  readonly type: TypeName;
  /** All of its table: the function gets the whole row. */
  readonly columns: readonly string[];
}

/** The right-hand side of a comparison. */
export type Operand =
  | { readonly kind: 'literal'; readonly text: string; readonly type: TypeName }
  | { readonly kind: 'variable'; readonly name: VariableName; readonly type: TypeName }
  /** The moment at which the transaction began. */
  | { readonly kind: 'now'; readonly type: TypeName }
  | { readonly kind: 'column'; readonly reference: ColumnReference }
  /** An array built from operands of the element type. */
  | { readonly kind: 'array'; readonly items: readonly Operand[]; readonly type: TypeName };

/** A checked boolean expression about one row. */
export type BoolExp =
  | { readonly kind: 'and'; readonly items: readonly BoolExp[] }
  | { readonly kind: 'or'; readonly items: readonly BoolExp[] }
  | { readonly kind: 'not'; readonly item: BoolExp }
  /** One of several alternative rules, with a variable check of its own: a missing variable closes this one alone. */
  | { readonly kind: 'guarded'; readonly item: BoolExp }
  | {
      readonly kind: 'isNull';
      readonly column: ColumnReference | ComputedReference;
      readonly negated: boolean;
    }
  | {
      readonly kind: 'compare';
      readonly column: ColumnReference | ComputedReference;
      /** The type both sides are cast to, where the column's own has no such operator (varchar → text). */
      readonly castTo?: TypeName;
      readonly operator: OperatorName;
      /** `any`: = any(array); `all`: <> all(array). */
      readonly quantifier?: 'any' | 'all';
      readonly operand: Operand;
      /** `similar to` goes through pg_catalog.similar_to_escape. */
      readonly pattern?: 'similar';
      /** Also true where the column is null (`_neq` in rules). */
      readonly orNull: boolean;
    }
  | { readonly kind: 'related'; readonly relationship: Relationship; readonly item: BoolExp }
  | { readonly kind: 'exists'; readonly table: TableKey; readonly item: BoolExp }
  /** Some row that the function gives for the row under test satisfies the item. */
  | {
      readonly kind: 'computedRows';
      readonly field: ComputedField;
      readonly table: TableKey;
      readonly columns: readonly string[];
      readonly item: BoolExp;
    };
