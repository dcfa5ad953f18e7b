import type { TypeReference } from '../../types/actions.ts';

/** Maximum nesting of lists inside lists in the type of a field or argument. */
const maxListNesting = 5;

/** Parses a GraphQL type, e.g. `[Refund!]!`. Undefined if the text is not a type. */
export function parseType(text: string): TypeReference | undefined {
  return parsePart(text.trim(), 0);
}

function parsePart(text: string, lists: number): TypeReference | undefined {
  const isRequired = text.endsWith('!');
  const bare = isRequired ? text.slice(0, -1).trimEnd() : text;
  if (/^[_A-Za-z][_0-9A-Za-z]*$/.test(bare)) return { kind: 'named', name: bare, isRequired };
  if (!bare.startsWith('[') || !bare.endsWith(']') || lists >= maxListNesting) return undefined;
  const item = parsePart(bare.slice(1, -1).trim(), lists + 1);
  return item && { kind: 'list', item, isRequired };
}

/** Returns a type as GraphQL writes it. */
export function printType(type: TypeReference, nameOf = (name: string): string => name): string {
  const bare = type.kind === 'named' ? nameOf(type.name) : `[${printType(type.item, nameOf)}]`;
  return type.isRequired ? `${bare}!` : bare;
}

/** Returns the named type inside all lists. */
export function namedTypeOf(type: TypeReference): string {
  return type.kind === 'named' ? type.name : namedTypeOf(type.item);
}
