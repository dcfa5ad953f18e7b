import type { RawEntry, RawName, RawNode } from './node.ts';

/*
 * Reading of nodes whose shape has been validated. Where the schema and the reader disagree, that is a mistake of
 * Rowgate and throws.
 */

/** The entries of a map; none where the node is absent. */
export function entriesOf(node: RawNode | undefined): readonly RawEntry[] {
  if (node === undefined) return [];
  if (node.kind !== 'map') throw unexpected(node, 'map');
  return node.entries;
}

/** The items of a list; none where the node is absent. */
export function itemsOf(node: RawNode | undefined): readonly RawNode[] {
  if (node === undefined) return [];
  if (node.kind !== 'list') throw unexpected(node, 'list');
  return node.items;
}

/** The value of one key of a map. */
export function fieldOf(node: RawNode, key: string): RawNode | undefined {
  return entriesOf(node).find((entry) => entry.key === key)?.value;
}

/** The value of a key that the schema requires. */
export function requiredFieldOf(node: RawNode, key: string): RawNode {
  const value = fieldOf(node, key);
  if (!value) throw unexpected(node, `map with ${key}`);
  return value;
}

/** A text and its place. */
export function nameOf(node: RawNode): RawName {
  if (node.kind !== 'scalar' || typeof node.value !== 'string') throw unexpected(node, 'text');
  return { name: node.value, position: node.position };
}

/** A key and its place. */
export function keyOf(entry: RawEntry): RawName {
  return { name: entry.key, position: entry.keyPosition };
}

function unexpected(node: RawNode, wanted: string): TypeError {
  const { file, line, column } = node.position;
  return new TypeError(`${file}:${line}:${column}: a ${wanted} was expected after validation`);
}
