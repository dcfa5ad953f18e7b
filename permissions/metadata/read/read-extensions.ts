import type { RawName, RawNode } from '../raw.ts';
import { entriesOf, fieldOf, itemsOf, keyOf, nameOf, requiredFieldOf } from '../yaml/raw-access.ts';

/** A root field of a plugin, with the roles that may use it. */
export interface RawOpenField extends RawName {
  readonly roles: readonly RawName[];
  readonly inHasura: boolean;
}

/** A field of a type of a plugin that gives rows of a table. */
export interface RawTypeRelationship extends RawName {
  readonly typeName: string;
  readonly kind: 'object' | 'array';
  /** Names a table, in any form. */
  readonly table: RawNode;
  readonly mapping: readonly { readonly field: RawName; readonly column: RawName }[];
}

/** `fields` and `relationships` of graphile.yaml. */
export interface RawExtensions {
  readonly fields: readonly RawOpenField[];
  readonly relationships: readonly RawTypeRelationship[];
}

/** Reads a valid graphile.yaml. */
export function readExtensions(root: RawNode): RawExtensions {
  return {
    fields: entriesOf(fieldOf(root, 'fields')).map((entry) => {
      const v1 = fieldOf(entry.value, 'v1');
      return {
        ...keyOf(entry),
        roles: itemsOf(requiredFieldOf(entry.value, 'roles')).map(nameOf),
        inHasura: v1?.kind === 'scalar' && v1.value === true,
      };
    }),
    relationships: itemsOf(fieldOf(root, 'relationships')).map(readRelationship),
  };
}

function readRelationship(node: RawNode): RawTypeRelationship {
  const kind = fieldOf(node, 'kind');
  return {
    ...nameOf(requiredFieldOf(node, 'name')),
    typeName: nameOf(requiredFieldOf(node, 'type')).name,
    kind: kind && nameOf(kind).name === 'array' ? 'array' : 'object',
    table: requiredFieldOf(node, 'table'),
    mapping: entriesOf(requiredFieldOf(node, 'columns')).map((entry) => ({
      field: keyOf(entry),
      column: nameOf(entry.value),
    })),
  };
}
