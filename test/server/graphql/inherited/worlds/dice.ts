/** Choices that are the same for the same seed. */
export interface Dice {
  /** From 0 up to, not including. */
  below(count: number): number;
  /** True so often. */
  chance(share: number): boolean;
  pick<T>(items: readonly T[]): T;
  shuffled<T>(items: readonly T[]): readonly T[];
  /** Each so often, in their order. */
  some<T>(items: readonly T[], share: number): readonly T[];
}

/** From numbers between 0 and 1. */
export function diceOf(random: () => number): Dice {
  const below = (count: number) => Math.floor(random() * count);
  const chance = (share: number) => random() < share;
  return {
    below,
    chance,
    pick: <T>(items: readonly T[]) => items[below(items.length)] as T,
    shuffled: <T>(items: readonly T[]) =>
      items
        .map((item) => [random(), item] as const)
        .toSorted(([a], [b]) => a - b)
        .map(([, item]) => item),
    some: (items, share) => items.filter(() => chance(share)),
  };
}
