import { createHash } from 'node:crypto';
import type { DocumentNode, SelectionNode } from 'graphql';

/**
 * Returns the sha256 of a document's meaning, so that the allow-list accepts a document in any spelling. Names,
 * aliases, fragments, arguments and directives count. White space, comments, the order of definitions and the spelling
 * of strings do not count, nor does the `__typename` that clients add to each selection set. The document must be
 * parsed without locations.
 * @throws RangeError if the document is nested too deeply for the stack
 */
export function documentDigest(document: DocumentNode): string {
  const definitions = document.definitions.map((node) => JSON.stringify(node, meaning)).sort();
  return createHash('sha256').update(definitions.join('\n')).digest('hex');
}

// A key is always a member name of the syntax tree, never a text from the client, so these comparisons are safe.
function meaning(key: string, value: unknown): unknown {
  if (key === 'block') return undefined;
  return key === 'selections' && Array.isArray(value) ? value.filter(isSelected) : value;
}

function isSelected(node: SelectionNode): boolean {
  if (node.kind !== 'Field' || node.name.value !== '__typename') return true;
  // Client libraries add a bare __typename to selection sets, so it does not count.
  return Boolean(
    node.alias || node.selectionSet || node.arguments?.length || node.directives?.length,
  );
}
