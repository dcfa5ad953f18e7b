import type { Position } from '../../diagnostics.ts';
import { quote } from '../../text/characters.ts';
import type { RawNode } from './node.ts';

/** A node with its description for messages. */
export interface Located {
  /** Undefined if the path leads to no node. */
  readonly node: RawNode | undefined;
  /** E.g. `"select"`, `item 2 of "columns"`, `the file`. */
  readonly label: string;
  /** The position of the key that holds the node, or of the node itself if no key holds it. */
  readonly ownerPosition: Position;
}

/** Follows a JSON pointer (RFC 6901) from the root of a file. */
export function locate(root: RawNode, pointer: string): Located {
  let found: Located = { node: root, label: 'the file', ownerPosition: root.position };
  for (const part of pointer.split('/').slice(1)) {
    found = step(found, part.replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  return found;
}

function step(from: Located, part: string): Located {
  if (from.node?.kind === 'list') {
    const index = Number(part);
    const node = from.node.items[index];
    const label = `item ${index + 1} of ${from.label}`;
    return { node, label, ownerPosition: node?.position ?? from.ownerPosition };
  }
  const entries = from.node?.kind === 'map' ? from.node.entries : [];
  const entry = entries.find(({ key }) => key === part);
  return {
    node: entry?.value,
    label: quote(part),
    ownerPosition: entry?.keyPosition ?? from.ownerPosition,
  };
}

/** Returns `empty`, `a list`, `an empty map`, or the scalar as written. */
export function describeNode(node: RawNode): string {
  if (node.kind === 'list') return node.items.length > 0 ? 'a list' : 'an empty list';
  if (node.kind === 'map') return node.entries.length > 0 ? 'a map' : 'an empty map';
  if (node.value === null && node.source === '') return 'empty';
  return typeof node.value === 'string' ? quote(node.value) : node.source;
}

/**
 * Converts the node to plain data for a validator. Maps have no prototype, so keys such as `__proto__` are ordinary
 * keys.
 */
export function toPlain(node: RawNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(toPlain);
  const plain: Record<string, unknown> = Object.create(null);
  for (const { key, value } of node.entries) plain[key] = toPlain(value);
  return plain;
}
