import type { Position } from '../diagnostics.ts';
import type { TableKey } from './names.ts';

/** A root field of a plugin that the listed roles may use. */
export interface OpenField {
  /** Inheriting roles and admin included. */
  readonly roles: ReadonlySet<string>;
  /** Whether /v1/graphql has the field too. */
  readonly inHasura: boolean;
  readonly position: Position;
}

/** A field of a plugin's type that returns rows of a table in /v1/graphql. */
export interface ExtensionRelationship {
  readonly typeName: string;
  readonly name: string;
  readonly kind: 'object' | 'array';
  readonly table: TableKey;
  /** Pairs of a field of the type and the table column that equals it; at least one. */
  readonly mapping: readonly { readonly field: string; readonly column: string }[];
  readonly description?: string | undefined;
  /** Absent: errors are reported at the position of the extension. */
  readonly position?: Position | undefined;
}

/** The metadata about extensions. The names that plugins add are known only after a schema is built. */
export interface ExtensionsModel {
  /** By root field name. */
  readonly fields: ReadonlyMap<string, OpenField>;
  readonly relationships: readonly ExtensionRelationship[];
}
