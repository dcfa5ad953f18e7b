import type { Position } from '../diagnostics.ts';
import type { Retry, Schedule } from '../types/events.ts';
import type { GraphileModel } from '../types/graphile.ts';
import type { ListedDocument } from '../types/operations.ts';
import type { QueryField, RootField } from '../types/tables.ts';
import type { RawFilter } from './schemas/filters.ts';
import type { RawRole } from './schemas/roles.ts';
import type { RawSettings } from './schemas/settings.ts';
import type { RawName, RawNode } from './yaml/node.ts';

/** The name of a table or function, as written and in its parts. */
export interface RawTableName extends RawName {
  /** `public` where none is written. */
  readonly schema: string;
  readonly table: string;
}

/** A document of allow_list.yaml, parsed. */
export type RawListedDocument = Omit<ListedDocument, 'collection' | 'roles'>;

/** allow_list.yaml. */
export interface RawAllowList {
  readonly collections: readonly (RawName & { readonly documents: readonly RawListedDocument[] })[];
  /** Which collections are for whom; without roles for everybody. */
  readonly allow: readonly {
    readonly collection: RawName;
    readonly roles: readonly RawName[] | undefined;
  }[];
}

/** `columns: '*'` or a list of names. */
export type RawColumns =
  | { readonly kind: 'all'; readonly position: Position }
  | { readonly kind: 'list'; readonly names: readonly RawName[]; readonly position: Position };

export interface RawSelect {
  readonly position: Position;
  readonly filter: RawNode;
  readonly columns: RawColumns;
  /** Absent: none. */
  readonly computedFields: RawColumns | undefined;
  readonly allowAggregations: boolean;
  /** Absent: all. */
  readonly queryFields: readonly QueryField[] | undefined;
  readonly limit: number | undefined;
}

/** With whose rights a function acts. */
export interface RawRights {
  readonly of: 'caller' | 'owner';
  readonly position: Position;
}

/** A field that a function computes from a row. */
export interface RawComputedField extends RawName {
  /** With its schema, as tables are named. */
  readonly function: RawTableName;
  /** Absent: the first argument that takes a row of the table. */
  readonly tableArgument: RawName | undefined;
  readonly sessionArgument: RawName | undefined;
  /** Absent: the owner's for a `security definer` function, else the caller's. */
  readonly rights: RawRights | undefined;
  /** Absent: the function's comment; `''` for none. */
  readonly description: string | undefined;
}

/** `graphql:` of a table; rules name columns by their database names all the same. */
export interface RawGraphql {
  /** Absent: made of the table's own. */
  readonly name: RawName | undefined;
  /** Absent: the database's comment; `''` for none. */
  readonly description: string | undefined;
  readonly columns: readonly RawGraphqlColumn[];
  readonly rootFields: readonly RawRootField[];
}

/** A root field of a table, with its name and description where they are given. */
export interface RawRootField {
  readonly field: RootField;
  readonly name: RawName | undefined;
  readonly description: string | undefined;
}

/** A column, by its name in the database, with its name and description in GraphQL where they are given. */
export interface RawGraphqlColumn {
  readonly column: RawName;
  readonly name: RawName | undefined;
  readonly description: string | undefined;
}

/** A preset: a literal or a session variable for one column. */
export interface RawPreset extends RawName {
  readonly value: RawNode;
}

export interface RawInsert {
  readonly position: Position;
  readonly check: RawNode;
  readonly set: readonly RawPreset[];
  readonly columns: RawColumns;
  readonly backendOnly: boolean;
}

export interface RawUpdate {
  readonly position: Position;
  readonly filter: RawNode;
  /** Absent where the file has none. */
  readonly check: RawNode | undefined;
  readonly set: readonly RawPreset[];
  readonly columns: RawColumns;
  readonly backendOnly: boolean;
}

export interface RawDelete {
  readonly position: Position;
  readonly filter: RawNode;
  readonly backendOnly: boolean;
}

export interface RawPermissions {
  readonly role: RawName;
  readonly select: RawSelect | undefined;
  readonly insert: RawInsert | undefined;
  readonly update: RawUpdate | undefined;
  readonly delete: RawDelete | undefined;
}

/**
 * A relationship that the file names itself, or an override of the default name of one:
 * `owner: { column: user_id }` (object, along the foreign key of that column or columns),
 * `wallets: { table: digital_wallet, column: user_id }` (array, the foreign key column of the other table),
 * `profile: { table: profile, column: user_id, kind: object }` (object, where that key is unique),
 * `rate: { table: currency_rate, columns: { currency: code }, kind: object }` (by hand, no foreign key needed).
 */
export interface RawRelationship extends RawName {
  readonly kind: 'object' | 'array';
  /** Absent: the table that the foreign key of `columns` leads to. */
  readonly table: RawTableName | undefined;
  /** Local column → remote column; remote absent where the foreign key decides. */
  readonly columns: readonly {
    readonly local: RawName | undefined;
    readonly remote: RawName | undefined;
  }[];
  /** Of an object relationship by hand: which row a nested insert writes first. Absent: as foreign keys say. */
  readonly insertFirst: 'local' | 'remote' | undefined;
}

/** One entry of `events`. Absent lists are undefined. */
export interface RawEventTrigger extends RawName {
  /** Each once. */
  readonly operations: readonly ('insert' | 'update' | 'delete')[];
  readonly columns: readonly RawName[] | undefined;
  readonly payload: readonly RawName[] | undefined;
  readonly webhook: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly retry: Retry;
  readonly orderBy: readonly RawName[] | undefined;
}

/** One file of metadata/tables/. */
export interface RawTable {
  readonly file: string;
  /** As written: `invoice` or `billing.invoice`; the part before the first dot is the schema. */
  readonly schema: string;
  readonly name: string;
  readonly position: Position;
  /** Where the file says that the rows are the values of an enum; absent where it does not. */
  readonly enumPosition: Position | undefined;
  readonly graphql: RawGraphql;
  /** Columns with `statistics: none`. */
  readonly withoutStatistics: readonly RawName[];
  readonly permissions: readonly RawPermissions[];
  readonly relationships: readonly RawRelationship[];
  readonly computedFields: readonly RawComputedField[];
  /** Default relationships that are not wanted. */
  readonly withoutRelationships: readonly RawName[];
  readonly events: readonly RawEventTrigger[];
}

/** A root field of a function, with its name and description where they are given. */
export interface RawFunctionField {
  readonly name: RawName | undefined;
  readonly description: string | undefined;
}

/** One file of metadata/functions/. */
export interface RawFunction {
  readonly file: string;
  /** With its schema, as tables are named. */
  readonly function: RawTableName;
  /** Absent: as its volatility says. */
  readonly exposedAs: 'query' | 'mutation' | undefined;
  readonly sessionArgument: RawName | undefined;
  /** Absent: the caller's. */
  readonly rights: RawRights | undefined;
  readonly permissions: readonly RawName[];
  readonly graphql: {
    /** Absent: made of the function's own. */
    readonly name: RawName | undefined;
    /** Absent: the function's comment; `''` for none. */
    readonly description: string | undefined;
    readonly function: RawFunctionField;
    readonly functionAggregate: RawFunctionField;
  };
}

/** A field or an argument with its type as it is written. */
export interface RawTypedName extends RawName {
  readonly type: RawName;
  readonly description: string | undefined;
}

/** A relationship of an object type of custom_types to a table. */
export interface RawTypeRelationship extends RawName {
  readonly kind: 'object' | 'array';
  readonly table: RawTableName;
  readonly mapping: readonly { readonly field: RawName; readonly column: RawName }[];
  readonly description: string | undefined;
}

/** One entry of custom_types. */
export interface RawCustomType extends RawName {
  readonly kind: 'object' | 'input' | 'enum' | 'scalar';
  readonly description: string | undefined;
  /** Of an object or input. */
  readonly fields: readonly RawTypedName[];
  /** Of an object. */
  readonly relationships: readonly RawTypeRelationship[];
  /** Of an enum. */
  readonly values: readonly (RawName & { readonly description: string | undefined })[];
}

/** One entry of actions. */
export interface RawAction extends RawName {
  readonly type: 'query' | 'mutation';
  readonly kind: RawName & { readonly name: 'synchronous' | 'asynchronous' };
  readonly description: string | undefined;
  readonly arguments: readonly RawTypedName[];
  readonly outputType: RawName;
  readonly handler: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly forwardClientHeaders: readonly RawName[];
  readonly retry: Retry;
  readonly permissions: readonly RawName[];
}

/** actions.yaml. */
export interface RawActions {
  readonly actions: readonly RawAction[];
  readonly customTypes: readonly RawCustomType[];
}

/** Everything that a metadata folder holds. */
export interface RawMetadata {
  readonly roles: readonly RawRole[];
  readonly filters: readonly RawFilter[];
  readonly tables: readonly RawTable[];
  readonly functions: readonly RawFunction[];
  /** cron.yaml, which names nothing of the database. */
  readonly schedules: readonly Schedule[];
  readonly actions: RawActions;
  readonly allowList: RawAllowList;
  readonly settings: RawSettings;
  /** Absent: only Hasura's dialect is served. */
  readonly graphile: RawGraphile | undefined;
}

/** graphile.yaml. */
export interface RawGraphile extends Omit<GraphileModel, 'extensions'> {
  readonly extensions: RawExtensions;
}

/** A root field of a plugin, with the roles that may use it. */
export interface RawOpenField extends RawName {
  readonly roles: readonly RawName[];
  readonly inHasura: boolean;
}

/** A field of a type of a plugin that gives rows of a table. */
export interface RawExtensionRelationship extends RawName {
  readonly typeName: string;
  readonly kind: 'object' | 'array';
  /** Names a table, in any form. */
  readonly table: RawNode;
  readonly mapping: readonly { readonly field: RawName; readonly column: RawName }[];
}

/** `fields` and `relationships` of graphile.yaml. */
export interface RawExtensions {
  readonly fields: readonly RawOpenField[];
  readonly relationships: readonly RawExtensionRelationship[];
}
