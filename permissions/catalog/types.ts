import type { TableKey } from '../types/names.ts';

/** A type of the database, by what rules need to know of it. */
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
  /** Its domain takes no null, and nothing is a default: a row brings a value, or no trigger ever sees it. */
  readonly demanded: boolean;
  /** Generated column, identity `always`, or of a view by which it cannot be written. */
  readonly generated: boolean;
  /** Generated from an expression: no statement can write it, not even one that overrides an identity. */
  readonly computed: boolean;
  /** Computed as it is read, and not stored. */
  readonly virtual: boolean;
  readonly comment: string | null;
}

export interface CatalogForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  readonly table: TableKey;
  readonly remoteColumns: readonly string[];
  /** Whether Postgres answers for every row: not so where the key is `not valid` or `not enforced`. */
  readonly validated: boolean;
  /** Whether its last column is a period, which many rows may cover together. */
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
  /** Whether triggers of people's own get its rows, or those of its partitions, before they are inserted. */
  readonly hasInsertTriggers: boolean;
  /** First columns of all valid indexes. */
  readonly indexed: readonly string[];
  readonly foreignKeys: readonly CatalogForeignKey[];
  /** Columns by which rows are sent to partitions, also to those of partitions. */
  readonly partitionKey: readonly string[];
  /** Sequences that defaults of this table draw from; of a view also those of all that it reads. */
  readonly sequences: readonly { readonly schema: string; readonly name: string }[];
  /** Partitions and inheriting tables, however deep. */
  readonly descendants: readonly TableKey[];
  /** Of views and materialized views. */
  readonly view: CatalogView | null;
}

export interface CatalogView {
  /** Whether it reads with the rights of whoever asks: `security_invoker`. */
  readonly invoker: boolean;
  /** Whether each can be done through it, by Postgres itself or by a trigger, so that checks and filters above it hold. */
  readonly insertable: boolean;
  readonly updatable: boolean;
  readonly deletable: boolean;
  /** What it reads itself, outside of Postgres's own schemas; no column where only rows are counted. */
  readonly reads: readonly { readonly table: TableKey; readonly columns: readonly string[] }[];
}

export interface CatalogArgument {
  /** '' where the function gives it none. */
  readonly name: string;
  readonly type: number;
  /** As in pg_proc.proargmodes: in, out, inout, variadic, column of a result table. */
  readonly mode: 'i' | 'o' | 'b' | 'v' | 't';
  readonly hasDefault: boolean;
  /** SQL, as Postgres renders it; null without one, and of functions that have other arguments than plain inputs. */
  readonly default: string | null;
}

/** A function of people's own; those of extensions, and of triggers, are not here. */
export interface CatalogFunction {
  readonly schema: string;
  readonly name: string;
  readonly comment: string | null;
  /** As in pg_proc.provolatile: immutable, stable, volatile. */
  readonly volatility: 'i' | 's' | 'v';
  readonly arguments: readonly CatalogArgument[];
  readonly result: number;
  /** Whether it gives any number of rows or values. */
  readonly returnsSet: boolean;
  /** Whether it acts with the rights of its owner. */
  readonly definer: boolean;
  /** Whether what its body means by a name does not hang on the search_path of whoever calls it. */
  readonly pinned: boolean;
  /** Views that its body names; null where that is kept as text, which Postgres reads when it runs. */
  readonly views: readonly TableKey[] | null;
  /** Texts of its body that could be names of headers, in lower case, where an argument takes JSON. */
  readonly headers: readonly string[];
}

/** What a database holds, as plain data. */
export interface CatalogData {
  /** e.g. 180004. */
  readonly serverVersion: number;
  readonly database: string;
  readonly types: readonly CatalogType[];
  readonly operators: readonly CatalogOperator[];
  /** Implicit casts that change nothing in memory: from → to. */
  readonly coercions: readonly { readonly from: number; readonly to: number }[];
  readonly tables: readonly CatalogTable[];
  readonly functions: readonly CatalogFunction[];
}
