import type {
  ComputedField,
  DeleteRule,
  FunctionModel,
  InsertRule,
  ObjectName,
  OwnerCall,
  Relationship,
  RelationshipColumn,
  SelectRule,
  TableModel,
  UpdateRule,
  ViewWrite,
} from '../../../../permissions/index.ts';
import type { ColumnView, ValueView } from './column-view.ts';
import type { Scalar } from './scalar.ts';

/** A table as one role may read and write it. */
export interface TableView extends TableWrites, ComputedViews {
  readonly model: TableModel;
  /**
   * The view that the role reads instead of the table. Undefined: the role reads the table. The view has the column
   * names of the table.
   */
  readonly rows: ObjectName | undefined;
  /** The view from which the role reads a row by its key. Undefined: it reads the row like all others. */
  readonly keyRows: ObjectName | undefined;
  /** The view that is empty when the role sees no row of the table. Undefined: there is no such check. */
  readonly entryCheck: ObjectName | undefined;
  /** The views that the role writes to instead of the table. They have the column names of the table. */
  readonly writes: ReadonlyMap<ViewWrite, ObjectName>;
  /** Name of the row type, and prefix of the names of its other types. */
  readonly name: string;
  readonly columns: ReadonlyMap<string, ColumnView>;
  readonly relationships: ReadonlyMap<string, RelationshipView>;
  /** The columns of the primary key. Empty when the role may not select all of them, and so cannot find rows by key. */
  readonly primaryKey: readonly ColumnView[];
  /** The select rule; without one, a rule that allows nothing. */
  readonly select: SelectRule;
  /**
   * Columns that the role may read from the table itself, by name in the table. They are unmasked columns of the rule,
   * and hidden keys.
   */
  readonly readable: ReadonlyMap<string, ColumnView>;
  /** All columns of the relation that the role reads, by name in the table. They include masked columns. */
  readonly shown: ReadonlyMap<string, ColumnView>;
  /**
   * Additional columns of the view with unmasked key values, by key column of the table. Only joins of relationships
   * read them.
   */
  readonly joinColumns: ReadonlyMap<string, string>;
  /** Number of tables that Postgres reads for this table: the table itself, and the tables of the select filter. */
  readonly tables: number;
}

/** Computed fields of a row, as one role may use them. */
export interface ComputedViews {
  /** Fields with a single value. */
  readonly computed: ReadonlyMap<string, ComputedValueView>;
  /** Fields that return rows of a table. */
  readonly computedRows: ReadonlyMap<string, ComputedRowsView>;
}

/** A function as a role calls it. */
export interface CallView {
  readonly called: Pick<FunctionModel, 'function' | 'arguments'>;
  /** The arguments that a client may pass, in the order of the function. */
  readonly clientArguments: readonly ClientArgument[];
  /**
   * The function created by Rowgate that the role calls instead. For a computed field, this function takes the primary
   * key of the row.
   */
  readonly own: OwnerCall | undefined;
}

export interface ComputedCall extends CallView {
  readonly field: ComputedField;
}

/** An argument that a client may pass. */
export interface ClientArgument {
  /** Name in GraphQL. It equals the name in the database, if the function has one. */
  readonly name: string;
  readonly scalar: Scalar;
  readonly isRequired: boolean;
  /** True if the function names the argument. An argument without a name can only be passed by position. */
  readonly isNamed: boolean;
}

export interface ComputedValueView extends ValueView, ComputedCall {
  /** Schemas of `min` and `max`, as for columns. */
  readonly aggregates: ColumnView['aggregates'];
  readonly source: ValueSource;
}

/** The way to get the value of a computed field for a given row. */
export type ValueSource = IndependentSource | ColumnOfRow;

/**
 * A source that works for rows of a table, a view or a function. The source is a call of the function, or a view in
 * which the primary key finds the row. `none`: the row has no primary key, so no value can be found.
 */
type IndependentSource =
  | { readonly kind: 'call' }
  | { readonly kind: 'none' }
  | { readonly kind: 'by key'; readonly view: ObjectName; readonly column: string };

/**
 * A column with the value, in the view that the role reads. Rows of the table, or of a function, do not have this
 * column.
 */
interface ColumnOfRow {
  readonly kind: 'column';
  readonly column: string;
}

/**
 * A table whose rows a function returns. No value of these rows comes from a column of the view that the role reads.
 */
export interface CalledTableView extends TableView {
  readonly computed: ReadonlyMap<
    string,
    ComputedValueView & { readonly source: IndependentSource }
  >;
  /** All columns of these rows, by their names in the table. */
  readonly readable: ReadonlyMap<string, ColumnView>;
}

export interface ComputedRowsView extends ComputedCall {
  readonly name: string;
  readonly table: () => CalledTableView;
}

export interface RelationshipView extends Omit<Relationship, 'table' | 'columns'> {
  /**
   * Returns the related table. A function, because relationships can form circles and the table may not be complete
   * when the relationship is made.
   */
  readonly table: () => TableView;
  readonly columns: readonly JoinPair[];
}

/** Two columns that a join compares for equality, with their names in the relations that a role reads. */
export interface JoinPair extends RelationshipColumn {
  readonly localColumn: string;
  readonly remoteColumn: string;
}

/** The rights of a role to write the rows of a table. */
export interface TableWrites {
  readonly insert: InsertView | undefined;
  readonly update: UpdateView | undefined;
  readonly delete: DeleteRule | undefined;
}

export interface InsertView {
  readonly rule: InsertRule;
  /** Columns that a client may provide, by name in GraphQL. */
  readonly columns: ReadonlyMap<string, ColumnView>;
  /** Undefined when the table has no unique constraint. */
  readonly upsert: UpsertView | undefined;
}

/** The options of `on conflict`. */
export interface UpsertView {
  /** All unique constraints, by name in GraphQL. */
  readonly constraints: ReadonlyMap<string, ConstraintView>;
  /** Columns that an upsert can update by at least one of the constraints, by name in GraphQL. */
  readonly columns: ReadonlyMap<string, ColumnView>;
  /**
   * The update check: a database function that returns whether the role may update the conflicting row of an upsert.
   * Undefined: the role may update every row.
   */
  readonly updateCheck: ObjectName | undefined;
}

/** A unique constraint that a new row may violate. */
export interface ConstraintView {
  readonly name: string;
  /** Columns in the order of the constraint. */
  readonly columns: readonly ColumnView[];
  /** The method that leaves the conflicting row unchanged. */
  readonly ignoring: ConflictHandling;
  /** The method that updates the conflicting row. */
  readonly updating: ConflictHandling;
}

/** The method by which an insert handles conflicting rows. */
export type ConflictHandling =
  /**
   * The insert has an `on conflict` clause. Postgres accepts it only if the role may read the columns of the
   * constraint.
   */
  | { readonly kind: 'clause' }
  /**
   * The insert runs row by row. The function opens a cursor on the conflicting row. Undefined: the conflicting row
   * stays unchanged.
   */
  | { readonly kind: 'row by row'; readonly conflictLookup: ObjectName | undefined }
  | { readonly kind: 'refused'; readonly why: string };

export interface UpdateView {
  readonly rule: UpdateRule;
  /** Columns that a client may update, by name in GraphQL. */
  readonly columns: ReadonlyMap<string, ColumnView>;
}
