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
  /** What it is read by instead of the table itself, whose names for columns it has. */
  readonly rows: ObjectName | undefined;
  /** What it is written by instead of the table itself, likewise. */
  readonly writes: ReadonlyMap<ViewWrite, ObjectName>;
  /** Of its type, and before those of its other types. */
  readonly name: string;
  readonly columns: ReadonlyMap<string, ColumnView>;
  readonly relationships: ReadonlyMap<string, RelationshipView>;
  /** Empty where the role may not select every key column. */
  readonly primaryKey: readonly ColumnView[];
  /** Without a rule: one that shows nothing. */
  readonly select: SelectRule;
  /** Every column that SQL may read of the table itself, by its name there: of the rule, and hidden keys. */
  readonly readable: ReadonlyMap<string, ColumnView>;
  /** Every column that the rows have by which it is read, likewise: those that only some rows show, too. */
  readonly shown: ReadonlyMap<string, ColumnView>;
  /** Keys that these rows have a second time, for relationships, and the names of those columns. */
  readonly joinColumns: ReadonlyMap<string, string>;
  /** Tables that reading it leads to: itself, and those of the condition that its rows are seen by. */
  readonly tables: number;
}

/** What functions of the database compute from a row, as one role may ask for it. */
export interface ComputedViews {
  /** Fields with one value. */
  readonly computed: ReadonlyMap<string, ComputedValueView>;
  /** Fields with rows of a table. */
  readonly computedRows: ReadonlyMap<string, ComputedRowsView>;
}

/** A function as a role calls it. */
export interface CallView {
  readonly called: Pick<FunctionModel, 'function' | 'arguments'>;
  /** What a client may give, in the function's order. */
  readonly clientArguments: readonly ClientArgument[];
  /** The function of ours that is called instead; for a computed field, with the row's primary key. */
  readonly own: OwnerCall | undefined;
}

export interface ComputedCall extends CallView {
  readonly field: ComputedField;
}

/** An argument that a client may give. */
export interface ClientArgument {
  /** In GraphQL and, where the function has one, in the database. */
  readonly name: string;
  readonly scalar: Scalar;
  readonly isRequired: boolean;
  /** Whether the function has a name for it; an argument without a name is found by its place only. */
  readonly isNamed: boolean;
}

export interface ComputedValueView extends ValueView, ComputedCall {
  /** As of columns. */
  readonly aggregates: ColumnView['aggregates'];
  readonly source: ValueSource;
}

/** Where the value of a computed field comes from, for a row at hand. */
export type ValueSource = ApartFromRow | CellOfRow;

/**
 * What does not hang on where the row comes from: a call, or a view in which the row is found by its primary key; or
 * nothing, where it has none.
 */
type ApartFromRow =
  | { readonly kind: 'call' }
  | { readonly kind: 'none' }
  | { readonly kind: 'by key'; readonly view: ObjectName; readonly column: string };

/** A column of the row, which has it only where it comes by the view that the role reads the table by. */
interface CellOfRow {
  readonly kind: 'cell';
  readonly column: string;
}

/** A table as the rows show it that a function gives: no value of theirs is found in a view's column. */
export interface CalledTableView extends TableView {
  readonly computed: ReadonlyMap<string, ComputedValueView & { readonly source: ApartFromRow }>;
  /** Every column that these rows have, by its name there. */
  readonly readable: ReadonlyMap<string, ColumnView>;
}

export interface ComputedRowsView extends ComputedCall {
  readonly name: string;
  readonly table: () => CalledTableView;
}

export interface RelationshipView extends Omit<Relationship, 'table' | 'columns'> {
  /** A function, since tables refer to each other in circles. */
  readonly table: () => TableView;
  readonly columns: readonly JoinPair[];
}

/** Columns of two tables that are equal, and what the rows that a role reads have them by. */
export interface JoinPair extends RelationshipColumn {
  readonly localCell: string;
  readonly remoteCell: string;
}

/** What a role may do to the rows of a table. */
export interface TableWrites {
  readonly insert: InsertView | undefined;
  readonly update: UpdateView | undefined;
  readonly delete: DeleteRule | undefined;
}

export interface InsertView {
  readonly rule: InsertRule;
  /** Columns that a client may give, by name in GraphQL. */
  readonly columns: ReadonlyMap<string, ColumnView>;
  /** Absent where no conflict can be named. */
  readonly upsert: UpsertView | undefined;
}

/** What may follow `on conflict`. */
export interface UpsertView {
  /** All unique constraints, by name in GraphQL. */
  readonly constraints: ReadonlyMap<string, ConstraintView>;
  /** Columns that an existing row may get from the new one by some of the constraints, by name in GraphQL. */
  readonly columns: ReadonlyMap<string, ColumnView>;
  /** The function that says whether an existing row may be changed; undefined where every one may be. */
  readonly guard: ObjectName | undefined;
}

/** A constraint that a new row may be in conflict with. */
export interface ConstraintView {
  readonly name: string;
  /** In the constraint's own order. */
  readonly columns: readonly ColumnView[];
  /** How the row in the way stays as it is. */
  readonly passing: ConflictWay;
  /** How it is changed. */
  readonly changing: ConflictWay;
}

/** How an insert does something about rows in the way. */
export type ConflictWay =
  /** By `on conflict`, which Postgres takes from roles that may read the constraint's columns. */
  | { readonly kind: 'clause' }
  /** Row by row; the function stands a cursor on the row in the way, undefined where that stays. */
  | { readonly kind: 'each'; readonly finder: ObjectName | undefined }
  | { readonly kind: 'refused'; readonly why: string };

export interface UpdateView {
  readonly rule: UpdateRule;
  /** Columns that a client may change, by name in GraphQL. */
  readonly columns: ReadonlyMap<string, ColumnView>;
}
