import { isJsonObject, type Json } from '../../json.ts';

/** The repeated items in the lists of a value; null when no list repeats an item. */
export type Repeats = null | {
  /** Indexes of the repeated items, if the value is a list. */
  readonly at?: readonly number[];
  /** Repeated items of inner lists, by key or index. */
  readonly in?: { readonly [key: string]: Repeats };
};

/** Maximum number of values to compare. The conditions of one operation cannot contain more values. */
const MAX_VALUES = 20_000;

/** Finds objects that occur twice in one list. Compares only the first MAX_VALUES values. */
export function repeatsIn(value: Json): Repeats {
  return new Comparer().compare(value).repeats;
}

/** Assigns equal numbers to equal values. */
class Comparer {
  readonly #numbers = new Map<string, number>();
  #left = MAX_VALUES;

  compare(value: Json): { readonly number: number; readonly repeats: Repeats } {
    this.#left -= 1;
    // Above MAX_VALUES, each value gets a different negative number, so it equals no other value.
    if (this.#left < 0) return { number: this.#left, repeats: null };
    if (isPlain(value)) return { number: this.#numberOf(JSON.stringify(value)), repeats: null };
    const entries = Object.entries<Json>(value as { readonly [key: string]: Json });
    const parts = entries.map(([key, part]) => ({ key, part, ...this.compare(part) }));
    const names = parts.map(({ key, number }) => [key, number]);
    // The text of a plain value never begins with an asterisk, so it never equals the text of a list or object.
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

/** Returns true if the value contains no objects, or too many items to compare. */
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
