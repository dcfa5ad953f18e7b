import { isJsonObject, type Json } from '../../json.ts';

/** Which items of lists repeat an earlier one of their list, by place. Null: none do. */
export type Repeats = null | {
  /** Of a list. */
  readonly at?: readonly number[];
  /** Further inside, by key or index. */
  readonly in?: { readonly [key: string]: Repeats };
};

/** Values that are compared: more than one operation's conditions may be made of. */
const MAX_VALUES = 20_000;

/** Finds objects that stand twice in one list, among the first values. */
export function repeatsIn(value: Json): Repeats {
  return new Comparer().compare(value).repeats;
}

/** Gives equal values equal numbers. */
class Comparer {
  readonly #numbers = new Map<string, number>();
  #left = MAX_VALUES;

  compare(value: Json): { readonly number: number; readonly repeats: Repeats } {
    this.#left -= 1;
    // Equal to nothing.
    if (this.#left < 0) return { number: this.#left, repeats: null };
    if (isPlain(value)) return { number: this.#numberOf(JSON.stringify(value)), repeats: null };
    const entries = Object.entries<Json>(value as { readonly [key: string]: Json });
    const parts = entries.map(([key, part]) => ({ key, part, ...this.compare(part) }));
    const names = parts.map(({ key, number }) => [key, number]);
    // No text of a plain value begins like this.
    const number = this.#numberOf(`*${JSON.stringify([Array.isArray(value), names])}`);
    const at = Array.isArray(value) ? repeatedItems(parts) : [];
    const inside = parts.flatMap(({ key, repeats }) => (repeats ? [[key, repeats] as const] : []));
    if (at.length === 0 && inside.length === 0) return { number, repeats: null };
    return { number, repeats: { at, in: Object.fromEntries(inside) } };
  }

  #numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#numbers.size);
    return this.#numbers.size - 1;
  }
}

/** Whether no objects stand in it, or too many to look at. */
function isPlain(value: Json): boolean {
  if (Array.isArray(value)) return value.length > MAX_VALUES || typeof value[0] !== 'object';
  return !isJsonObject(value);
}

function repeatedItems(items: readonly { readonly part: Json; readonly number: number }[]) {
  const seen = new Set<number>();
  return items.flatMap(({ part, number }, index) => {
    if (!isJsonObject(part)) return [];
    if (seen.has(number)) return [index];
    seen.add(number);
    return [];
  });
}
