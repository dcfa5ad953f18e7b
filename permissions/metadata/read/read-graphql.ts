import type { RawGraphql, RawGraphqlColumn, RawRootField } from '../raw.ts';
import { rootFieldKeys } from '../schemas/graphql-schema.ts';
import type { RawEntry, RawNode } from '../yaml/node.ts';
import { entriesOf, fieldOf, keyOf, nameOf } from '../yaml/raw-access.ts';

/** `graphql:` of a valid table file; an absent one says nothing. */
export function readGraphql(node: RawNode | undefined): RawGraphql {
  const field = (key: string) => node && fieldOf(node, key);
  const name = field('name');
  return {
    name: name && nameOf(name),
    description: textOf(field('description')),
    columns: entriesOf(field('columns')).map(readColumn),
    rootFields: entriesOf(field('root_fields')).flatMap(({ key, value }) =>
      rootFieldKeys.filter((one) => one === key).map((one) => ({ field: one, ...readName(value) })),
    ),
  };
}

function readColumn(entry: RawEntry): RawGraphqlColumn {
  return { column: keyOf(entry), ...readName(entry.value) };
}

/** A name, or a map with name and description. */
export function readName(value: RawNode): Pick<RawRootField, 'name' | 'description'> {
  const name = value.kind === 'map' ? fieldOf(value, 'name') : value;
  return {
    name: name && nameOf(name),
    description: value.kind === 'map' ? textOf(fieldOf(value, 'description')) : undefined,
  };
}

/** A text; undefined where the node is absent. */
export function textOf(node: RawNode | undefined): string | undefined {
  return node && nameOf(node).name;
}
