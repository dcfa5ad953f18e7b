import type { TableKey } from '../types/names.ts';

/** A Postgres type, with the facts that rules need. */
export interface CatalogType {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  /** As in pg_type.typtype: base, composite, domain, enum, pseudo, range, multirange. */
  readonly kind: 'b' | 'c' | 'd' | 'e' | 'p' | 'r' | 'm';
  /** Element type of an array type, else 0. */
  readonly element: number;
  /** Array type over this one, else 0. */
  readonly array: number;
  /** Base type of a domain, else 0. */
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
   * The column's domain refuses null and there is no default. A row must bring a value before any trigger sees it.
   */
  readonly demanded: boolean;
  /** A generated column, an identity `generated always`, or a view column that cannot be written. */
  readonly generated: boolean;
  /** Generated from an expression. No statement can write it, not even one that overrides an identity. */
  readonly computed: boolean;
  /** Computed on reading, and not stored. */
  readonly virtual: boolean;
  readonly comment: string | null;
}

export interface CatalogForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  readonly table: TableKey;
  readonly remoteColumns: readonly string[];
  /** Whether Postgres guarantees the key for every row. False for keys that are `not valid` or `not enforced`. */
  readonly validated: boolean;
  /** Whether the last column is a period, which several rows may cover together. */
  readonly period: boolean;
  /** As in pg_constraint: a no action, r restrict, c cascade, n set null, d set default. */
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
  /** Column sets of unique indexes without expressions or predicate. */
  readonly uniques: readonly (readonly string[])[];
  /** Primary key and unique constraints that are neither deferrable nor exclude ranges, by name. */
  readonly uniqueConstraints: readonly {
    readonly name: string;
    readonly columns: readonly string[];
    readonly nullsDistinct: boolean;
  }[];
  /** Whether user-defined triggers see its rows, or those of its partitions, before they are inserted. */
  readonly hasInsertTriggers: boolean;
  /** The first columns of all valid indexes. */
  readonly indexed: readonly string[];
  readonly foreignKeys: readonly CatalogForeignKey[];
  /** Columns that decide the partition of a row, including the keys of subpartitions. */
  readonly partitionKey: readonly string[];
  /** Sequences that the defaults of the table use. A view includes the sequences of everything it reads. */
  readonly sequences: readonly { readonly schema: string; readonly name: string }[];
  /** Partitions and inheriting tables, direct and indirect. */
  readonly descendants: readonly TableKey[];
  /** Only views and materialized views have it. */
  readonly view: CatalogView | null;
}

export interface CatalogView {
  /** Whether the view reads with the caller's rights: `security_invoker`. */
  readonly invoker: boolean;
  /**
   * Whether rows can be inserted, updated or deleted through the view, by Postgres or by a trigger, such that the
   * checks and filters of views above it hold.
   */
  readonly insertable: boolean;
  readonly updatable: boolean;
  readonly deletable: boolean;
  /**
   * Relations that the view itself reads, except those in Postgres's own schemas. `columns` is empty if the view
   * only counts rows.
   */
  readonly reads: readonly { readonly table: TableKey; readonly columns: readonly string[] }[];
}

export interface CatalogArgument {
  /** '' if the function does not name the argument. */
  readonly name: string;
  readonly type: number;
  /** As in pg_proc.proargmodes: in, out, inout, variadic, column of a result table. */
  readonly mode: 'i' | 'o' | 'b' | 'v' | 't';
  readonly hasDefault: boolean;
  /** The default as SQL, as Postgres renders it. Null without a default, and for functions with output arguments. */
  readonly default: string | null;
}

/** A user-defined function. Trigger functions and functions of extensions are left out. */
export interface CatalogFunction {
  readonly schema: string;
  readonly name: string;
  readonly comment: string | null;
  /** As in pg_proc.provolatile: immutable, stable, volatile. */
  readonly volatility: 'i' | 's' | 'v';
  readonly arguments: readonly CatalogArgument[];
  readonly result: number;
  /** Whether it returns any number of rows or values. */
  readonly returnsSet: boolean;
  /** Whether it runs with its owner's rights (`security definer`). */
  readonly definer: boolean;
  /** Whether the names in its body resolve independently of the caller's search_path. */
  readonly pinned: boolean;
  /** Views that its body names. Null if the body is stored as text, which Postgres parses only when it runs. */
  readonly views: readonly TableKey[] | null;
  /** Texts in its body that could be header names, in lower case. Collected only if an argument takes JSON. */
  readonly headers: readonly string[];
}

/** The contents of a database, as plain data. */
export interface CatalogData {
  /** e.g. 180004. */
  readonly serverVersion: number;
  readonly database: string;
  readonly types: readonly CatalogType[];
  readonly operators: readonly CatalogOperator[];
  /** Implicit casts that leave the value unchanged in memory (binary-coercible). */
  readonly coercions: readonly { readonly from: number; readonly to: number }[];
  readonly tables: readonly CatalogTable[];
  readonly functions: readonly CatalogFunction[];
}
