import type { RawExtensionRelationship, RawExtensions } from '../raw.ts';
import type { RawNode } from '../yaml/node.ts';
import { entriesOf, fieldOf, itemsOf, keyOf, nameOf, requiredFieldOf } from '../yaml/raw-access.ts';

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

function readRelationship(node: RawNode): RawExtensionRelationship {
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
