import type {} from 'postgraphile/graphile-build';

type Behavior = GraphileBuild.Build['behavior'];

const words = new WeakMap<Behavior, readonly string[]>();

/**
 * Takes back the behaviors of an entity that a test selects. A behavior such as `-aggregates` takes back only what ends
 * as it does, and leaves `aggregates:orderBy`: hence each is named, whichever plugin has registered it.
 * @param isDenied gets the scope of a behavior, e.g. `['query', 'resource', 'list']`
 */
export function denied(
  build: GraphileBuild.Build,
  isDenied: (scope: readonly string[]) => boolean,
): string {
  return wordsOf(build)
    .filter((word) => isDenied(word.split(':')))
    .map((word) => `-${word}`)
    .join(' ');
}

/** Takes back everything. */
export const EVERYTHING = '-*';

function wordsOf({ behavior }: GraphileBuild.Build): readonly string[] {
  const known = words.get(behavior);
  if (known) return known;
  const defaults = behavior.getDefaultBehaviorFor('pgResource').split(/\s+/);
  const found = [...new Set(defaults.map((word) => word.replace(/^[+-]/, '')))].filter(Boolean);
  words.set(behavior, found);
  return found;
}
