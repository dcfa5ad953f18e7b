import type { Position } from '../diagnostics.ts';
import type { TableKey } from './names.ts';

/** A root field that a PostGraphile plugin adds, with the roles that may use it. */
export interface OpenField {
  /** Roles that may use the field, including inheriting roles and admin. */
  readonly roles: ReadonlySet<string>;
  /** Whether /v1/graphql, which serves Hasura's dialect, has the field, too. */
  readonly inHasura: boolean;
  readonly position: Position;
}

/** A field of a type that a PostGraphile plugin adds. In /v1/graphql, the field returns rows of a table. */
export interface ExtensionRelationship {
  readonly typeName: string;
  readonly name: string;
  readonly kind: 'object' | 'array';
  readonly table: TableKey;
  /** Pairs of a field of the type and the table column that equals it; at least one. */
  readonly mapping: readonly { readonly field: string; readonly column: string }[];
  readonly description?: string | undefined;
  /** The position in the file for messages. Absent: messages use the position of the extension. */
  readonly position?: Position | undefined;
}

/**
 * The extensions in the metadata. Their names are checked later, because the names that plugins add are known only
 * after a schema is built.
 */
export interface ExtensionsModel {
  /** The fields that plugins add to the query and mutation types, by name. */
  readonly fields: ReadonlyMap<string, OpenField>;
  readonly relationships: readonly ExtensionRelationship[];
}
