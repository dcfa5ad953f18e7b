import type { Position } from '../diagnostics.ts';
import type { RootField } from '../metadata/schemas/tables/graphql-names.ts';
import type { OperatorName, TableKey, TypeName, VariableName } from './names.ts';

export interface ColumnModel {
  readonly name: string;
  /** Field name in GraphQL: the metadata's, else `name` with what GraphQL cannot express replaced. */
  readonly graphqlName: string;
  /** The metadata's, else the database's comment. */
  readonly description: string | undefined;
  readonly type: TypeName;
  readonly notNull: boolean;
  readonly hasDefault: boolean;
  /** Generated always, or identity always: may never be written. */
  readonly generated: boolean;
  /** The enum table whose values it holds, by a foreign key of its own. */
  readonly enumTable: TableKey | undefined;
}

/** An enum table of GraphQL: each of its rows is one value. */
export interface EnumModel {
  /** The column that holds the values: the whole primary key. */
  readonly value: string;
  /** The column that says what each is for. */
  readonly describedBy: string | undefined;
  /** Of the type in GraphQL. */
  readonly graphqlName: string;
}

export interface RelationshipColumn {
  readonly local: string;
  readonly remote: string;
  readonly equals: OperatorName;
}

/** A way from one table to another. */
export interface Relationship {
  readonly name: string;
  readonly kind: 'object' | 'array';
  readonly table: TableKey;
  /** Pairs of columns that are equal, at least one, and the operator that says so (local on the left). */
  readonly columns: readonly RelationshipColumn[];
  /** Which row a nested insert writes first: `remote` where this table's columns refer to the other row. */
  readonly insertFirst: 'local' | 'remote';
  /**
   * Whether every row has another one: along a foreign key of its own table that can hold no null. Among the
   * permissions of a role also that the role sees every row there.
   */
  readonly isCertain: boolean;
}

/** A primary key or unique constraint that `on conflict` can name: none that is deferrable or excludes ranges. */
export interface UniqueConstraint {
  readonly name: string;
  /** In the constraint's own order. */
  readonly columns: readonly string[];
  /** Whether rows with nulls in these columns break it never. */
  readonly nullsDistinct: boolean;
}

/** An argument of a function that computes a field. */
export interface ComputedArgument {
  /** Absent where the function gives it none: such a one can be passed by position alone. */
  readonly name: string | undefined;
  readonly type: TypeName;
  readonly hasDefault: boolean;
  /** SQL, as Postgres renders it; undefined without one. */
  readonly default: string | undefined;
  /** Who gives it: the row itself, the session's variables as a JSON object, or the client. */
  readonly kind: 'row' | 'session' | 'client';
}

/** A field of a table's rows that a function of the database computes: one value, or rows of a table. */
export interface ComputedField {
  readonly name: string;
  /** The metadata's, else the function's comment, else which function it is; undefined where the metadata wants none. */
  readonly description: string | undefined;
  readonly function: { readonly schema: string; readonly name: string };
  /** Whether the function acts with the rights of its owner; else with those of its caller. */
  readonly definer: boolean;
  /** The rights with which a selected field is computed: those of the caller, or those of the applier. */
  readonly rights: 'caller' | 'owner';
  /** Whether what the function's body means by a name does not hang on its caller's search_path. */
  readonly pinned: boolean;
  /** Why no role can ask for it, though rules can; undefined where some may. */
  readonly unreadable: { readonly message: string; readonly hint: string } | undefined;
  /** Those that its body names, where it takes the session. */
  readonly variables: readonly VariableName[];
  /** In the function's own order. */
  readonly arguments: readonly ComputedArgument[];
  readonly result:
    | { readonly kind: 'scalar'; readonly type: TypeName }
    | { readonly kind: 'rows'; readonly table: TableKey };
}

/** The kind of a table in the database; `partitioned` is the table at the top. */
export type TableKind = 'table' | 'view' | 'materialized view';

/** The facts about a view that rules on it need. */
export interface ViewModel {
  /** Whether it reads with the caller's rights (`security_invoker`): rules on the tables that it reads hold then. */
  readonly isInvoker: boolean;
  /** Whether each can be done through it so that a check holds. */
  readonly insertable: boolean;
  readonly updatable: boolean;
  readonly deletable: boolean;
}

export interface TableModel {
  readonly key: TableKey;
  readonly kind: TableKind;
  /** Of views and materialized views. */
  readonly view: ViewModel | undefined;
  /** Absent for all other tables. */
  readonly enum: EnumModel | undefined;
  readonly schema: string;
  readonly name: string;
  /** Type and prefix of every derived name in GraphQL: the metadata's, else `invoice`, or `billing_invoice` outside public. */
  readonly graphqlName: string;
  /** The name of each root field, even if no role has it: the metadata's, else made of `graphqlName`. */
  readonly rootFields: Readonly<Record<RootField, string>>;
  /** The description of each root field: the metadata's, else a general one; undefined where the metadata wants none. */
  readonly rootDescriptions: Readonly<Record<RootField, string | undefined>>;
  /** The metadata's, else the database's comment, else whose row it is; undefined where the metadata wants none. */
  readonly description: string | undefined;
  /** In the table's own order. */
  readonly columns: ReadonlyMap<string, ColumnModel>;
  readonly primaryKey: readonly string[];
  /** By name. */
  readonly uniqueConstraints: readonly UniqueConstraint[];
  /** Whether user-defined triggers get its rows before they are inserted, and may change them. */
  readonly hasInsertTriggers: boolean;
  /** Columns about whose values Postgres keeps no statistics, since their file says so. */
  readonly withoutStatistics: readonly string[];
  readonly relationships: ReadonlyMap<string, Relationship>;
  /** By name. */
  readonly computedFields: ReadonlyMap<string, ComputedField>;
  readonly position: Position;
}
