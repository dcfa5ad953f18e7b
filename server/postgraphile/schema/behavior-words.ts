import type {} from 'postgraphile/graphile-build';

type Behavior = GraphileBuild.Build['behavior'];

const words = new WeakMap<Behavior, readonly string[]>();

/**
 * Denies the behaviors that a predicate selects. `-aggregates` would deny only behaviors that end in `aggregates`, and
 * not `aggregates:orderBy`. Therefore the returned text names each denied behavior in full.
 * @param isDenied receives the scope of a behavior, e.g. `['query', 'resource', 'list']`
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

/** Denies every behavior. */
export const EVERYTHING = '-*';

function wordsOf({ behavior }: GraphileBuild.Build): readonly string[] {
  const known = words.get(behavior);
  if (known) return known;
  const defaults = behavior.getDefaultBehaviorFor('pgResource').split(/\s+/);
  const found = [...new Set(defaults.map((word) => word.replace(/^[+-]/, '')))].filter(Boolean);
  words.set(behavior, found);
  return found;
}
