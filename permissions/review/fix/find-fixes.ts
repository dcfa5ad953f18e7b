import type { DiagnosticCode, Position } from '../../diagnostics.ts';
import type { LoadedModel } from '../../model/load-model.ts';
import { findRepeatedFilters } from '../repeated-filters.ts';
import { findRepeatedItems } from '../repeated-items.ts';
import { orderedText } from '../written-conditions.ts';

/** A change of a file that keeps the meaning of the metadata. */
export interface Fix {
  readonly code: DiagnosticCode;
  /** The place of the node that is replaced or removed. */
  readonly position: Position;
  /** The YAML that replaces the node. Undefined: the node is an item of a list, and is removed. */
  readonly text: string | undefined;
  /** The change in words, e.g. `wrote { _filter: ours }`. */
  readonly words: string;
}

/**
 * Returns the changes that need no decision by a person, because they keep the meaning: a condition that a named filter
 * holds is replaced by its name, and a name that a list holds twice is removed once.
 */
export function findFixes(loaded: LoadedModel): readonly Fix[] {
  const filters = new Map(loaded.raw.filters.map(({ name, filter }) => [name.name, filter]));
  const named = findRepeatedFilters(loaded).flatMap(({ name, conditions }): readonly Fix[] => {
    const filter = name === undefined ? undefined : filters.get(name);
    if (name === undefined || !filter) return [];
    const text = `{ _filter: ${yamlName(name)} }`;
    const written = orderedText(filter);
    // A condition with its parts in another order would compile to another text, and apply would replace its policy.
    return conditions
      .filter(({ node }) => orderedText(node) === written)
      .map(({ node: { position } }) => ({
        ...{ code: 'RG_REPEATED_FILTER', position, text, words: `wrote ${text}` },
      }));
  });
  const items = findRepeatedItems(loaded).map(
    ({ item }): Fix => ({
      ...{ code: 'RG_REPEATED_ITEM', position: item.position, text: undefined },
      words: `removed the second "${item.name}"`,
    }),
  );
  return [...named, ...items];
}

function yamlName(name: string): string {
  const isPlain = /^[a-z_][\w-]*$/iu.test(name) && !/^(true|false|null)$/iu.test(name);
  return isPlain ? name : JSON.stringify(name);
}
