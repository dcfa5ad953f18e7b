import type { OperatorName, TableKey, TypeName, VariableName } from './names.ts';
import type { ComputedField, Relationship } from './tables.ts';

/**
 * A column of the row that an expression tests (`row`), or of the row of the table that the whole rule is about
 * (`root`).
 */
export interface ColumnReference {
  readonly scope: 'row' | 'root';
  readonly column: string;
  readonly type: TypeName;
}

/** The value that the function of a computed field returns for the row that an expression tests. */
export interface ComputedReference {
  readonly scope: 'row';
  readonly field: ComputedField;
  readonly type: TypeName;
  /** The columns that the value depends on: all columns of the table, because the function takes the whole row. */
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

/** A boolean expression of a rule about one row, checked and resolved against the database. */
export type BoolExp =
  | { readonly kind: 'and'; readonly items: readonly BoolExp[] }
  | { readonly kind: 'or'; readonly items: readonly BoolExp[] }
  | { readonly kind: 'not'; readonly item: BoolExp }
  /**
   * One of several alternative filters of an inheriting role. Each alternative has a separate variable check, so that a
   * missing session variable closes only that alternative.
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
      /** The type to which both sides are cast, if the column's own type lacks the operator (e.g. varchar → text). */
      readonly castTo?: TypeName;
      readonly operator: OperatorName;
      /** `any`: the comparison is `= any (array)`. `all`: the comparison is `<> all (array)`. */
      readonly quantifier?: 'any' | 'all';
      readonly operand: Operand;
      /** For `similar to`: pg_catalog.similar_to_escape converts the pattern first. */
      readonly pattern?: 'similar';
      /** Whether the comparison is also true if the column is null, like `_neq` in rules. */
      readonly orNull: boolean;
    }
  | { readonly kind: 'related'; readonly relationship: Relationship; readonly item: BoolExp }
  | { readonly kind: 'exists'; readonly table: TableKey; readonly item: BoolExp }
  /** True if at least one row that the function of a computed field returns for the tested row satisfies the item. */
  | {
      readonly kind: 'computedRows';
      readonly field: ComputedField;
      readonly table: TableKey;
      readonly columns: readonly string[];
      readonly item: BoolExp;
    };
