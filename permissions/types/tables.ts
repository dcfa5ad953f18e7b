import type { Position } from '../diagnostics.ts';
import type { RootField } from '../metadata/schemas/tables/graphql-names.ts';
import type { OperatorName, TableKey, TypeName, VariableName } from './names.ts';

export interface ColumnModel {
  readonly name: string;
  /** Field name in GraphQL: from the metadata, or `name` with invalid characters replaced. */
  readonly graphqlName: string;
  /** Description in GraphQL: from the metadata, or the column's comment in the database. */
  readonly description: string | undefined;
  readonly type: TypeName;
  readonly notNull: boolean;
  /** Present if the column's collation can find different texts equal, e.g. `a` and `A`. */
  readonly nondeterministic?: true;
  /** The collation, unless it is the database's default or the type has none. */
  readonly collation?: string;
  /** Present if the lower case of `I` may be another letter than `i` in the column's collation. */
  readonly oddCase?: true;
  /** Present if the type may change a value that is written, e.g. numeric(10,2), which rounds. */
  readonly reshaped?: true;
  readonly hasDefault: boolean;
  /** Whether the column is a generated column or an identity `generated always`, which clients may never write. */
  readonly generated: boolean;
  /**
   * The enum table to which the column refers by a foreign key of this column alone. In GraphQL, the column then has
   * the enum type.
   */
  readonly enumTable: TableKey | undefined;
}

/** The enum that a table becomes in GraphQL: each row is one value. */
export interface EnumModel {
  /** The column that holds the values. It alone is the primary key. */
  readonly value: string;
  /** The column with the description of each value. */
  readonly describedBy: string | undefined;
  /** Name of the GraphQL enum type. */
  readonly graphqlName: string;
}

export interface RelationshipColumn {
  readonly local: string;
  readonly remote: string;
  readonly equals: OperatorName;
}

/** A relationship from one table to another, which determines the related rows of a row. */
export interface Relationship {
  readonly name: string;
  readonly kind: 'object' | 'array';
  readonly table: TableKey;
  /**
   * Pairs of columns that must be equal in related rows, each with the equality operator (`local` is its left side).
   * There is at least one pair.
   */
  readonly columns: readonly RelationshipColumn[];
  /**
   * The row that a nested insert writes first. `remote` if this table holds the foreign key, because the referenced row
   * must exist first.
   */
  readonly insertFirst: 'local' | 'remote';
  /**
   * Whether every row certainly has a related row, so that GraphQL can make the field non-null. A not-null foreign key
   * of this table is required. For a role, the role must also see every related row.
   */
  readonly isCertain: boolean;
}

/**
 * A primary key or unique constraint that `on conflict` can name. It cannot name deferrable constraints and those that
 * exclude ranges.
 */
export interface UniqueConstraint {
  readonly name: string;
  /** Columns in the order of the constraint. */
  readonly columns: readonly string[];
  /** Whether a null is never equal to another null in the constraint, so that rows with nulls never conflict. */
  readonly nullsDistinct: boolean;
}

/** An argument of a user-defined function that the metadata names. */
export interface ComputedArgument {
  /** Absent if the function gives the argument no name. A call can then pass the argument only by position. */
  readonly name: string | undefined;
  readonly type: TypeName;
  readonly hasDefault: boolean;
  /** The default as SQL, as Postgres renders it; undefined without a default. */
  readonly default: string | undefined;
  /** Source of the value: the row itself, the session variables as a JSON object, or the client. */
  readonly kind: 'row' | 'session' | 'client';
}

/** A field of a table's rows that a database function computes. It returns a single value, or rows of a table. */
export interface ComputedField {
  readonly name: string;
  /**
   * Description in GraphQL: from the metadata, or the function's comment, or the function's name. Undefined if the
   * metadata switches it off.
   */
  readonly description: string | undefined;
  readonly function: { readonly schema: string; readonly name: string };
  /** Whether the function is `security definer`, i.e. runs with its owner's rights instead of its caller's. */
  readonly definer: boolean;
  /**
   * The rights with which the field is computed when a client selects it: the rights of the caller or of the applier.
   */
  readonly rights: 'caller' | 'owner';
  /**
   * Whether the names in the function's body mean the same under every search_path. If not, a caller could make them
   * refer to its own objects.
   */
  readonly pinned: boolean;
  /** The reason why no role can select the field, although rules can use it. Undefined: roles can select the field. */
  readonly unreadable: { readonly message: string; readonly hint: string } | undefined;
  /** Session variables that the body names, if the function takes the session as an argument. */
  readonly variables: readonly VariableName[];
  /** Arguments in the order of the function. */
  readonly arguments: readonly ComputedArgument[];
  readonly result:
    | { readonly kind: 'scalar'; readonly type: TypeName }
    | { readonly kind: 'rows'; readonly table: TableKey };
}

/** The kind of a table in the database. Partitioned tables count as tables. */
export type TableKind = 'table' | 'view' | 'materialized view';

/** Facts about a view that its rules depend on. */
export interface ViewModel {
  /**
   * Whether the view reads with the caller's rights (`security_invoker`), so that the rules of the tables below apply
   * to the caller.
   */
  readonly isInvoker: boolean;
  /**
   * Whether rows can be inserted, updated or deleted through the view while Postgres enforces the checks of generated
   * views above it.
   */
  readonly insertable: boolean;
  readonly updatable: boolean;
  readonly deletable: boolean;
}

/** A table whose changes are recorded for subscriptions. */
export interface LiveTable {
  /**
   * Columns whose values narrow a change, so that it wakes only the subscriptions that it can concern. The text of their
   * types is canonical: equal values have equal texts.
   */
  readonly keys: readonly string[];
  /** Columns by which rows can be streamed. Empty for a table without a primary key. */
  readonly cursors: readonly string[];
}

export interface TableModel {
  readonly key: TableKey;
  readonly kind: TableKind;
  /** Facts about a view or materialized view; undefined for other tables. */
  readonly view: ViewModel | undefined;
  /** Tables that a view reads, directly or through other views. Empty for other tables. */
  readonly baseTables: readonly TableKey[];
  /** The enum that the table defines in GraphQL; undefined for other tables. */
  readonly enum: EnumModel | undefined;
  readonly schema: string;
  readonly name: string;
  /**
   * Name of the GraphQL type, and prefix of derived names. It comes from the metadata, or from the database: `invoice`,
   * or `billing_invoice` outside the schema public.
   */
  readonly graphqlName: string;
  /** Name of each root field, even if no role has it: from the metadata, or derived from `graphqlName`. */
  readonly rootFields: Readonly<Record<RootField, string>>;
  /**
   * Description of each root field: from the metadata, or a general one. Undefined if the metadata switches it off.
   */
  readonly rootDescriptions: Readonly<Record<RootField, string | undefined>>;
  /**
   * Description in GraphQL: from the metadata, or the table's comment, or a general text. Undefined if the metadata
   * switches it off.
   */
  readonly description: string | undefined;
  /** Columns by name, in the order of the table. */
  readonly columns: ReadonlyMap<string, ColumnModel>;
  readonly primaryKey: readonly string[];
  /** Constraints that `on conflict` can name, by name. */
  readonly uniqueConstraints: readonly UniqueConstraint[];
  /** Whether user-defined triggers run before rows are inserted, and may change these rows. */
  readonly hasInsertTriggers: boolean;
  /** Whether user-defined triggers run before rows are updated, and may change these rows. */
  readonly hasUpdateTriggers: boolean;
  /**
   * Whether the constraints of the table hold for every row that a query of it finds. False for views, for foreign
   * tables, and for tables with inheriting tables, whose rows need not meet them.
   */
  readonly keepsConstraints: boolean;
  /** Columns for which the metadata turns Postgres's statistics off (`statistics: none`). */
  readonly withoutStatistics: readonly string[];
  /** Undefined: changes of the table are not recorded. */
  readonly live: LiveTable | undefined;
  readonly relationships: ReadonlyMap<string, Relationship>;
  /** Computed fields by name. */
  readonly computedFields: ReadonlyMap<string, ComputedField>;
  readonly position: Position;
}
