import type { TableKey } from '../types/names.ts';

/** A Postgres type, with the facts that rules need. */
export interface CatalogType {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  /** As in pg_type.typtype: base, composite, domain, enum, pseudo, range, multirange. */
  readonly kind: 'b' | 'c' | 'd' | 'e' | 'p' | 'r' | 'm';
  /** Oid of the element type of an array type, else 0. */
  readonly element: number;
  /** Oid of the array type whose elements have this type, else 0. */
  readonly array: number;
  /** Oid of the base type of a domain, else 0. */
  readonly base: number;
  readonly labels: readonly string[] | null;
}

export interface CatalogOperator {
  readonly schema: string;
  readonly symbol: string;
  readonly left: number;
  readonly right: number;
  readonly leakproof: boolean;
}

export interface CatalogColumn {
  readonly name: string;
  readonly type: number;
  readonly notNull: boolean;
  readonly hasDefault: boolean;
  /**
   * Whether an insert must give the column a value: its domain refuses null, and it has no default. Postgres checks
   * that before any trigger runs, so a preset that a trigger fills in comes too late.
   */
  readonly demanded: boolean;
  /**
   * Whether statements cannot write the column: a generated column, an identity `generated always`, or a view column
   * that cannot be written.
   */
  readonly generated: boolean;
  /**
   * Whether the column is generated from an expression. No statement can write it; an identity, by contrast, can be
   * overridden.
   */
  readonly computed: boolean;
  /** Whether the column is computed when it is read, and not stored (a virtual generated column). */
  readonly virtual: boolean;
  /** The collation, with its schema. Null for the database's default and for types without a collation. */
  readonly collation: string | null;
  /** Whether the column's collation can find different texts equal, e.g. `a` and `A`. */
  readonly nondeterministic: boolean;
  /** Whether the lower case of `I` may be another letter than `i` in the column's collation, as in Turkish. */
  readonly oddCase: boolean;
  /** Whether the type may change a value that is written, e.g. numeric(10,2), which rounds. */
  readonly reshaped: boolean;
  readonly comment: string | null;
}

export interface CatalogForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  readonly table: TableKey;
  readonly remoteColumns: readonly string[];
  /**
   * Whether Postgres guarantees the key for every row at any time. False for keys that are `not valid`, `not enforced`, or
   * deferrable, i.e. broken within a transaction.
   */
  readonly validated: boolean;
  /**
   * Whether the last column is a period. Several referenced rows may cover it together, so such a key does not lead to
   * one row.
   */
  readonly period: boolean;
  /** As in pg_constraint.confdeltype: a no action, r restrict, c cascade, n set null, d set default. */
  readonly onDelete: string;
  readonly onUpdate: string;
}

export interface CatalogTable {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  /** As in pg_class.relkind. */
  readonly kind: 'r' | 'p' | 'v' | 'm' | 'f';
  readonly comment: string | null;
  readonly columns: readonly CatalogColumn[];
  readonly primaryKey: readonly string[];
  /** Columns of each unique index that has neither expressions nor a WHERE. */
  readonly uniques: readonly (readonly string[])[];
  /**
   * Primary key and unique constraints, by name, without deferrable constraints and constraints that exclude ranges.
   */
  readonly uniqueConstraints: readonly {
    readonly name: string;
    readonly columns: readonly string[];
    readonly nullsDistinct: boolean;
  }[];
  /**
   * Whether a user-defined trigger runs before a row is inserted into the table or one of its partitions. Such a
   * trigger may change the row.
   */
  readonly hasInsertTriggers: boolean;
  /** The same before a row of the table, of a partition or of an inheriting table is updated. */
  readonly hasUpdateTriggers: boolean;
  /** The first column of each valid index. */
  readonly indexed: readonly string[];
  readonly foreignKeys: readonly CatalogForeignKey[];
  /** Columns that decide the partition of a row, including the keys of subpartitions. */
  readonly partitionKey: readonly string[];
  /** Sequences that the defaults of the table use. For a view, the sequences of everything that it reads. */
  readonly sequences: readonly { readonly schema: string; readonly name: string }[];
  /** Partitions and inheriting tables, direct and indirect. */
  readonly descendants: readonly TableKey[];
  /** Facts about a view or materialized view; null for other tables. */
  readonly view: CatalogView | null;
}

export interface CatalogView {
  /** Whether the view reads with the caller's rights: `security_invoker`. */
  readonly invoker: boolean;
  /**
   * Whether rows can be inserted, updated or deleted through the view, by Postgres or by a trigger. A value is false
   * when Postgres would ignore the checks or filters of generated views above the view.
   */
  readonly insertable: boolean;
  readonly updatable: boolean;
  readonly deletable: boolean;
  /**
   * Relations that the view itself reads, except those in Postgres's own schemas. `columns` is empty if the view reads
   * none of the relation's columns, e.g. because it only counts rows.
   */
  readonly reads: readonly { readonly table: TableKey; readonly columns: readonly string[] }[];
}

export interface CatalogArgument {
  /** Name of the argument; '' if the function does not name it. */
  readonly name: string;
  readonly type: number;
  /** As in pg_proc.proargmodes: in, out, inout, variadic, or a column of the returned table. */
  readonly mode: 'i' | 'o' | 'b' | 'v' | 't';
  readonly hasDefault: boolean;
  /** The default as SQL, as Postgres renders it. Null without a default, and for functions with output arguments. */
  readonly default: string | null;
}

/** A user-defined function. The catalog omits trigger functions and functions of extensions. */
export interface CatalogFunction {
  readonly schema: string;
  readonly name: string;
  readonly comment: string | null;
  /** As in pg_proc.provolatile: immutable, stable, volatile. */
  readonly volatility: 'i' | 's' | 'v';
  readonly arguments: readonly CatalogArgument[];
  readonly result: number;
  /** Whether the function may return several rows or values. */
  readonly returnsSet: boolean;
  /** Whether the function runs with its owner's rights (`security definer`). */
  readonly definer: boolean;
  /** Whether the names in the body have the same meaning under every search_path of the caller. */
  readonly pinned: boolean;
  /**
   * Views that the body names. Null if they are unknown: Postgres parses a body that is stored as text only when it
   * runs.
   */
  readonly views: readonly TableKey[] | null;
  /**
   * Texts in the body that could be header names of session variables, in lower case. Collected only if an argument
   * takes JSON, because session variables are passed as JSON.
   */
  readonly headers: readonly string[];
}

/** The contents of a database, as plain data. */
export interface CatalogData {
  /** Version of Postgres as a number, e.g. 180004 for 18.4. */
  readonly serverVersion: number;
  readonly database: string;
  readonly types: readonly CatalogType[];
  readonly operators: readonly CatalogOperator[];
  /** Implicit casts that leave the value unchanged in memory (binary-coercible), as pairs of types. */
  readonly coercions: readonly { readonly from: number; readonly to: number }[];
  readonly tables: readonly CatalogTable[];
  readonly functions: readonly CatalogFunction[];
}
