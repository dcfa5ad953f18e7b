import { createHash } from 'node:crypto';
import type { DocumentNode, SelectionNode } from 'graphql';

/**
 * sha256 of what a document says: equal whatever its white space, comments, order of definitions, spelling of strings
 * and the `__typename` that clients add to each selection set. Names, aliases, fragments, arguments and directives all
 * count. The document must be parsed without locations. @throws RangeError where it is nested deeper than the stack is
 */
export function documentDigest(document: DocumentNode): string {
  const definitions = document.definitions.map((node) => JSON.stringify(node, meaning)).sort();
  return createHash('sha256').update(definitions.join('\n')).digest('hex');
}

// Keys are those of the syntax tree: nothing that a client writes is one.
function meaning(key: string, value: unknown): unknown {
  if (key === 'block') return undefined;
  return key === 'selections' && Array.isArray(value) ? value.filter(isAskedFor) : value;
}

function isAskedFor(node: SelectionNode): boolean {
  if (node.kind !== 'Field' || node.name.value !== '__typename') return true;
  // Only as clients add it by themselves.
  return Boolean(
    node.alias || node.selectionSet || node.arguments?.length || node.directives?.length,
  );
}
