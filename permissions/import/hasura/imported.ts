import type { Operation } from '../../types/rules.ts';
import type { Cursor } from './input/cursor.ts';

/** A value with a fixed text in YAML, such as a number with all its digits. */
export class Verbatim {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** A value in a metadata file. Maps keep their order, and keys such as `__proto__` have no special meaning. */
export type Plain = string | number | boolean | Verbatim | null | readonly Plain[] | PlainMap;
export type PlainMap = ReadonlyMap<string, Plain>;

/** A permission of Hasura, translated to a rule of one role for one command. */
export interface ImportedRule {
  readonly role: string;
  readonly command: Operation;
  readonly body: PlainMap;
  /** The comment in Hasura's metadata. */
  readonly comment: string | undefined;
  readonly from: Cursor;
}

export interface ImportedRelationship {
  readonly name: string;
  readonly body: PlainMap;
  readonly from: Cursor;
}

export interface ImportedComputedField {
  readonly name: string;
  /** The name of the Postgres function. */
  readonly called: { readonly schema: string; readonly name: string };
  readonly body: PlainMap;
  readonly from: Cursor;
}

export interface ImportedEvent {
  readonly name: string;
  readonly body: PlainMap;
  readonly from: Cursor;
}

/** An entry of cron.yaml. */
export interface ImportedSchedule extends ImportedEvent {
  /** The comment in Hasura's metadata. */
  readonly comment: string | undefined;
}

export interface ImportedTable {
  readonly schema: string;
  readonly name: string;
  /** Whether the table is an enum in GraphQL, whose rows are the values. */
  readonly isEnum: boolean;
  /** Names and descriptions in GraphQL. */
  readonly graphql: PlainMap;
  /** The table's relationships, sorted by name. */
  readonly relationships: readonly ImportedRelationship[];
  /** The table's computed fields, sorted by name. */
  readonly computedFields: readonly ImportedComputedField[];
  /** The table's rules, sorted by role, then in the order select, insert, update, delete. */
  readonly rules: readonly ImportedRule[];
  /** The table's event triggers, in Hasura's order. */
  readonly events: readonly ImportedEvent[];
  readonly from: Cursor;
}

/** A role that inherits the permissions of other roles. */
export interface ImportedInheritingRole {
  readonly role: string;
  readonly inherits: readonly string[];
  readonly from: Cursor;
}

/** The content of allow_list.yaml. */
export interface ImportedAllowList {
  /** Operations by the name of their collection, in Hasura's order. */
  readonly collections: ReadonlyMap<string, readonly PlainMap[]>;
  readonly allow: readonly ImportedAllowEntry[];
}

/** A collection of allowed operations, with the roles that may run them. Without roles, every role may run them. */
export interface ImportedAllowEntry {
  readonly collection: string;
  readonly roles: readonly string[] | undefined;
}

/** A function of the database that is a root field in GraphQL. */
export interface ImportedFunction {
  readonly schema: string;
  readonly name: string;
  readonly body: PlainMap;
  /** Roles that may call the function. */
  readonly roles: readonly string[];
  readonly from: Cursor;
}

export interface ImportedAction {
  readonly name: string;
  readonly body: PlainMap;
  /** Roles that may call the action. */
  readonly roles: readonly string[];
  readonly from: Cursor;
}

/** A custom type of actions. */
export interface ImportedCustomType {
  /** The list in `custom_types` that contains the type: objects, inputs, enums or scalars. */
  readonly list: string;
  readonly name: string;
  readonly body: PlainMap;
  readonly from: Cursor;
}

/** Everything from which a metadata folder is written. */
export interface Imported {
  /** Tables with rules and relationships, sorted by schema and name. */
  readonly tables: readonly ImportedTable[];
  /** Functions that are root fields, sorted by schema and name. */
  readonly functions: readonly ImportedFunction[];
  /** Roles that inherit from others, in Hasura's order. */
  readonly inheritingRoles: readonly ImportedInheritingRole[];
  /** Schedules of cron.yaml, in Hasura's order. */
  readonly schedules: readonly ImportedSchedule[];
  /** Actions, in Hasura's order. */
  readonly actions: readonly ImportedAction[];
  /** Custom types of actions, in the order objects, inputs, enums, scalars. */
  readonly customTypes: readonly ImportedCustomType[];
  /** Settings in roles.yaml by role. A role that has rules needs no entry. */
  readonly roleSettings: ReadonlyMap<string, PlainMap>;
  readonly allowList: ImportedAllowList;
}
