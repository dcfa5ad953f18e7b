/** Random choices, equal for equal seeds. */
export interface Dice {
  /** Returns an integer from 0 to `count` - 1. */
  below(count: number): number;
  /** Returns true with the given probability. */
  chance(share: number): boolean;
  pick<T>(items: readonly T[]): T;
  shuffled<T>(items: readonly T[]): readonly T[];
  /** Selects each item with the given probability and keeps their order. */
  some<T>(items: readonly T[], share: number): readonly T[];
}

/** Makes choices from random numbers between 0 and 1. */
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
