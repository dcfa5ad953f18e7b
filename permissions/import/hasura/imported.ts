import type { Cursor } from './input/cursor.ts';

/** A value that YAML must show exactly so: a number with all its digits. */
export class Verbatim {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** What a file of metadata is made of; maps keep their order and know no special keys. */
export type Plain = string | number | boolean | Verbatim | null | readonly Plain[] | PlainMap;
export type PlainMap = ReadonlyMap<string, Plain>;

export type RuleCommand = 'select' | 'insert' | 'update' | 'delete';

/** A permission as a rule. */
export interface ImportedRule {
  readonly role: string;
  readonly command: RuleCommand;
  readonly body: PlainMap;
  /** What Hasura's metadata says about it. */
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
  /** The function. */
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
  /** What Hasura's metadata says about it. */
  readonly comment: string | undefined;
}

export interface ImportedTable {
  readonly schema: string;
  readonly name: string;
  /** Whether its rows are the values of an enum. */
  readonly isEnum: boolean;
  /** Names and descriptions in GraphQL. */
  readonly graphql: PlainMap;
  /** By name, sorted. */
  readonly relationships: readonly ImportedRelationship[];
  /** By name, sorted. */
  readonly computedFields: readonly ImportedComputedField[];
  /** By role, then select, insert, update, delete. */
  readonly rules: readonly ImportedRule[];
  /** In Hasura's order. */
  readonly events: readonly ImportedEvent[];
  readonly from: Cursor;
}

/** A role that inherits from others. */
export interface ImportedInheritingRole {
  readonly role: string;
  readonly inherits: readonly string[];
  readonly from: Cursor;
}

/** allow_list.yaml. */
export interface ImportedAllowList {
  /** Operations by the name of their collection, in Hasura's order. */
  readonly collections: ReadonlyMap<string, readonly PlainMap[]>;
  readonly allow: readonly ImportedAllowEntry[];
}

/** A collection that may be run: by everybody, where it has no roles. */
export interface ImportedAllowEntry {
  readonly collection: string;
  readonly roles: readonly string[] | undefined;
}

/** A function that is a root field. */
export interface ImportedFunction {
  readonly schema: string;
  readonly name: string;
  readonly body: PlainMap;
  /** Who may call it. */
  readonly roles: readonly string[];
  readonly from: Cursor;
}

/** An action. */
export interface ImportedAction {
  readonly name: string;
  readonly body: PlainMap;
  /** Who may call it. */
  readonly roles: readonly string[];
  readonly from: Cursor;
}

/** A type that actions bring along. */
export interface ImportedCustomType {
  /** The part of `custom_types` that it is in. */
  readonly list: string;
  readonly name: string;
  readonly body: PlainMap;
  readonly from: Cursor;
}

/** What a folder of metadata is written from. */
export interface Imported {
  /** Sorted by schema and name. */
  readonly tables: readonly ImportedTable[];
  /** Sorted by schema and name. */
  readonly functions: readonly ImportedFunction[];
  /** In Hasura's order. */
  readonly inheritingRoles: readonly ImportedInheritingRole[];
  /** In Hasura's order. */
  readonly schedules: readonly ImportedSchedule[];
  /** In Hasura's order. */
  readonly actions: readonly ImportedAction[];
  /** Objects, inputs, enums, scalars. */
  readonly customTypes: readonly ImportedCustomType[];
  /** What roles.yaml says of roles, by role; those with rules need not be here. */
  readonly roleSettings: ReadonlyMap<string, PlainMap>;
  readonly allowList: ImportedAllowList;
}
