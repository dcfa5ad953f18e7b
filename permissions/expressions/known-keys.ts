/**
 * Reads the values that a column of certain rows can have, as Postgres writes them. Undefined: any value.
 * @param known the values that are known when the statement runs, e.g. the session variables
 */
export type KeyValues<K> = (known: K) => readonly string[] | undefined;

/** Columns of certain rows, each with the values that it can have in them. */
export type KnownKeys<K> = ReadonlyMap<string, KeyValues<K>>;

/** Combines conditions that must all hold. The values of each column satisfy at least one of the conditions. */
export function keysOfAll<K>(lists: readonly KnownKeys<K>[]): KnownKeys<K> {
  const found = new Map<string, KeyValues<K>>();
  for (const [column, values] of lists.flatMap((keys) => [...keys])) {
    const other = found.get(column);
    found.set(column, other ? (known) => other(known) ?? values(known) : values);
  }
  return found;
}

/** Combines conditions of which one must hold. A column is known only if each condition restricts it. */
export function keysOfAny<K>(lists: readonly KnownKeys<K>[]): KnownKeys<K> {
  const [first, ...others] = lists;
  const columns = [...(first?.keys() ?? [])].filter((column) =>
    others.every((keys) => keys.has(column)),
  );
  return new Map(columns.map((column) => [column, unionOf(lists.map((keys) => keys.get(column)))]));
}

/** Reads the values of all readers. They are unknown if one of them is. */
export function unionOf<K>(readers: readonly (KeyValues<K> | undefined)[]): KeyValues<K> {
  return (known) => {
    const lists = readers.map((read) => read?.(known));
    return lists.every((list) => list !== undefined) ? lists.flat() : undefined;
  };
}
