import type { Position } from '../diagnostics.ts';
import type { Action, CustomType } from '../types/actions.ts';
import type { EventTrigger, Schedule } from '../types/events.ts';
import type { FunctionModel } from '../types/functions.ts';
import type { GraphileModel } from '../types/graphile.ts';
import type { ListedDocument, RoleLimits } from '../types/operations.ts';
import type { TableRules } from '../types/rules.ts';

/** `schema.name`, both exactly as in the catalog. */
export type TableKey = string;

/** A session variable, by its setting's name after `gql.`: `organization_id` for `X-Gql-Organization-Id`. */
export type VariableName = string;

/** A Postgres type as it is written in SQL, e.g. schema `pg_catalog`, name `uuid`. */
export interface TypeName {
  readonly schema: string;
  readonly name: string;
  /** Element type for an array type. */
  readonly element?: TypeName;
  /** Labels, for an enum. */
  readonly labels?: readonly string[];
}

/** That a rule reads a variable, and as what. */
export interface VariableUse {
  readonly variable: VariableName;
  /** The type its text must be a literal of; for `_in` and the like an array type. */
  readonly type: TypeName;
}

/** An operator as Postgres must be told it: `operator(schema.symbol)`. */
export interface OperatorName {
  readonly schema: string;
  readonly symbol: string;
  readonly leakproof: boolean;
}

/** A column of the row under test, or of the row that the whole rule is about (`root`). */
export interface ColumnReference {
  readonly scope: 'row' | 'root';
  readonly column: string;
  readonly type: TypeName;
}

/** What the function of a computed field gives for the row under test. */
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
  /** One of several rules that hold side by side: a variable that it lacks closes it, and none of the others. */
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

/** What makes a table an enum of GraphQL: each of its rows is one value. */
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

/** The fields of the query type by which a table is read. */
export type QueryField = 'select' | 'select_by_pk' | 'select_aggregate';

/** The root fields of a table in GraphQL, by Hasura's names for them in `custom_root_fields`. */
export type RootField =
  | QueryField
  | 'insert'
  | 'insert_one'
  | 'update'
  | 'update_by_pk'
  | 'update_many'
  | 'delete'
  | 'delete_by_pk';

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
  /** With whose rights the field is computed where it is asked for: of whoever asks, or of whoever applies. */
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

/** What a table of the metadata is in the database; of partitioned ones it is the table at the top. */
export type TableKind = 'table' | 'view' | 'materialized view';

/** What rules on a view must know of it. */
export interface ViewModel {
  /** Whether it reads with the rights of whoever asks (`security_invoker`): rules on what it reads hold then. */
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
  /** The name of each root field, whether or not anybody has it: the metadata's, else made of `graphqlName`. */
  readonly rootFields: Readonly<Record<RootField, string>>;
  /** What GraphQL says of each: the metadata's, else what it does; undefined where the metadata wants none. */
  readonly rootDescriptions: Readonly<Record<RootField, string | undefined>>;
  /** The metadata's, else the database's comment, else whose row it is; undefined where the metadata wants none. */
  readonly description: string | undefined;
  /** In the table's own order. */
  readonly columns: ReadonlyMap<string, ColumnModel>;
  readonly primaryKey: readonly string[];
  /** By name. */
  readonly uniqueConstraints: readonly UniqueConstraint[];
  /** Whether triggers of people's own get its rows before they are inserted, and may make others of them. */
  readonly hasInsertTriggers: boolean;
  /** Columns about whose values Postgres keeps no statistics, since their file says so. */
  readonly withoutStatistics: readonly string[];
  readonly relationships: ReadonlyMap<string, Relationship>;
  /** By name. */
  readonly computedFields: ReadonlyMap<string, ComputedField>;
  readonly position: Position;
}

/** What one role may do with one table, and what its rules open together with those on others. */
export interface TablePermissions extends TableRules {
  /** Relationships whose both ends the role may select, by name. */
  readonly relationships: ReadonlyMap<string, Relationship>;
  /** Key columns outside `select.columns` that those relationships need; readable in SQL only. */
  readonly hiddenKeys: readonly string[];
  /**
   * Columns of `select.cells` that relationships follow in more rows than show them, and the condition under which.
   * The rows view has them once more for that, see joinColumn.
   */
  readonly joinCells: ReadonlyMap<string, BoolExp>;
  /** Computed fields that give rows of a table which the role may select, and whose function it can call, by name. */
  readonly computedRows: readonly string[];
}

export interface RoleModel {
  /** As in the role header, e.g. `investor`; the admin role is `admin`. */
  readonly name: string;
  /** The Postgres role, e.g. `rowgate_platform_investor`. */
  readonly postgresName: string;
  readonly purpose: string;
  /** Variables that every request in this role must carry, those of the roles that it inherits from included. */
  readonly requires: readonly VariableName[];
  /** The roles that it inherits from directly. */
  readonly inherits: readonly string[];
  readonly limits: RoleLimits | undefined;
  /** Whether `__schema` and `__type` are answered. */
  readonly introspection: boolean;
  readonly tables: ReadonlyMap<TableKey, TablePermissions>;
  /** Keys of the functions that are root fields of the role, in the order of the model. */
  readonly functions: readonly TableKey[];
}

/** The checked metadata, resolved against one database. */
export interface Model {
  /** e.g. `rowgate_platform_`. */
  readonly rolePrefix: string;
  /** e.g. `X-Gql-`. */
  readonly headerPrefix: string;
  /** By name as in the header; holds `admin`, which may do everything on every table here. */
  readonly roles: ReadonlyMap<string, RoleModel>;
  readonly tables: ReadonlyMap<TableKey, TableModel>;
  /** Those that are root fields, by `schema.name` as tables are. */
  readonly functions: ReadonlyMap<TableKey, FunctionModel>;
  /** Every variable that a rule, role or computed field names, sorted. A gateway sets all on each request, absent ones to ''. */
  readonly variables: readonly VariableName[];
  /** By name. */
  readonly events: ReadonlyMap<string, EventTrigger>;
  /** By name. */
  readonly schedules: ReadonlyMap<string, Schedule>;
  /** Root fields that handlers answer over HTTP, by name. */
  readonly actions: ReadonlyMap<string, Action>;
  /** The types that actions bring along, by name. */
  readonly customTypes: ReadonlyMap<string, CustomType>;
  /** The documents of the allow-list, whether or not others are refused. */
  readonly allowList: readonly ListedDocument[];
  /** Absent: only Hasura's dialect is served. */
  readonly graphile: GraphileModel | undefined;
  /** sha256 of the whole model but for places and descriptions; equal ones compile to equal state and serve equal names. */
  readonly fingerprint: string;
}
