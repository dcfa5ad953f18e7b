import type { OperatorName, TableKey, TypeName, VariableName } from './names.ts';
import type { ComputedField, Relationship } from './tables.ts';

/** A column of the row under test (`row`), or of the row of the table that the whole rule is about (`root`). */
export interface ColumnReference {
  readonly scope: 'row' | 'root';
  readonly column: string;
  readonly type: TypeName;
}

/** The value that a computed field's function returns for the row under test. */
export interface ComputedReference {
  readonly scope: 'row';
  readonly field: ComputedField;
  readonly type: TypeName;
  /** All columns of the table, because the function takes the whole row. */
  readonly columns: readonly string[];
}

/** The right-hand side of a comparison. */
export type Operand =
  | { readonly kind: 'literal'; readonly text: string; readonly type: TypeName }
  | { readonly kind: 'variable'; readonly name: VariableName; readonly type: TypeName }
  /** The start time of the transaction. */
  | { readonly kind: 'now'; readonly type: TypeName }
  | { readonly kind: 'column'; readonly reference: ColumnReference }
  /** An array of operands of the element type. */
  | { readonly kind: 'array'; readonly items: readonly Operand[]; readonly type: TypeName };

/** A checked boolean expression about one row. */
export type BoolExp =
  | { readonly kind: 'and'; readonly items: readonly BoolExp[] }
  | { readonly kind: 'or'; readonly items: readonly BoolExp[] }
  | { readonly kind: 'not'; readonly item: BoolExp }
  /**
   * One of several alternative rules, each with its own variable check. A missing variable closes only this
   * alternative.
   */
  | { readonly kind: 'guarded'; readonly item: BoolExp }
  | {
      readonly kind: 'isNull';
      readonly column: ColumnReference | ComputedReference;
      readonly negated: boolean;
    }
  | {
      readonly kind: 'compare';
      readonly column: ColumnReference | ComputedReference;
      /** Both sides are cast to this type if the column's own type lacks the operator (varchar → text). */
      readonly castTo?: TypeName;
      readonly operator: OperatorName;
      /** `any`: = any (array). `all`: <> all (array). */
      readonly quantifier?: 'any' | 'all';
      readonly operand: Operand;
      /** `similar to`: the pattern is passed through pg_catalog.similar_to_escape. */
      readonly pattern?: 'similar';
      /** Also true if the column is null (`_neq` in rules). */
      readonly orNull: boolean;
    }
  | { readonly kind: 'related'; readonly relationship: Relationship; readonly item: BoolExp }
  | { readonly kind: 'exists'; readonly table: TableKey; readonly item: BoolExp }
  /** At least one row that the function returns for the row under test satisfies the item. */
  | {
      readonly kind: 'computedRows';
      readonly field: ComputedField;
      readonly table: TableKey;
      readonly columns: readonly string[];
      readonly item: BoolExp;
    };
