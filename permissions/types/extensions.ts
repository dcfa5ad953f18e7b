import type { Position } from '../diagnostics.ts';
import type { TableKey } from './names.ts';

/** A root field of a plugin that some roles may use. */
export interface OpenField {
  /** Inheriting roles and admin included. */
  readonly roles: ReadonlySet<string>;
  /** Whether /v1/graphql has it too. */
  readonly inHasura: boolean;
  readonly position: Position;
}

/** A field of a type of a plugin that gives rows of a table in /v1/graphql. */
export interface ExtensionRelationship {
  readonly typeName: string;
  readonly name: string;
  readonly kind: 'object' | 'array';
  readonly table: TableKey;
  /** Fields of the type, and the columns of the table that are equal to them; at least one. */
  readonly mapping: readonly { readonly field: string; readonly column: string }[];
  readonly description?: string | undefined;
  /** Absent: the place of the extension counts. */
  readonly position?: Position | undefined;
}

/** The metadata about extensions. The names that plugins really add are known once a schema is built. */
export interface ExtensionsModel {
  /** By root field. */
  readonly fields: ReadonlyMap<string, OpenField>;
  readonly relationships: readonly ExtensionRelationship[];
}
