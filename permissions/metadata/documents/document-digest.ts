import { createHash } from 'node:crypto';
import type { DocumentNode, SelectionNode } from 'graphql';

/**
 * sha256 of a document's meaning. White space, comments, the order of definitions, the spelling of strings and the
 * `__typename` that clients add to each selection set do not change it. Names, aliases, fragments, arguments and
 * directives do. The document must be parsed without locations. @throws RangeError where it is nested deeper than the stack is
 */
export function documentDigest(document: DocumentNode): string {
  const definitions = document.definitions.map((node) => JSON.stringify(node, meaning)).sort();
  return createHash('sha256').update(definitions.join('\n')).digest('hex');
}

// The keys come from the syntax tree and never from a client's text.
function meaning(key: string, value: unknown): unknown {
  if (key === 'block') return undefined;
  return key === 'selections' && Array.isArray(value) ? value.filter(isSelected) : value;
}

function isSelected(node: SelectionNode): boolean {
  if (node.kind !== 'Field' || node.name.value !== '__typename') return true;
  // Client libraries add a bare __typename.
  return Boolean(
    node.alias || node.selectionSet || node.arguments?.length || node.directives?.length,
  );
}
