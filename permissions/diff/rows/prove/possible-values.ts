import { compare } from '../../evaluate/compare.ts';
import type { ValueType } from '../../evaluate/values.ts';
import { anyRelation, equal, greater, less, type Relations, type Term } from './formula.ts';
import { narrow, setRelations } from './point-algebra.ts';
import { relationsOf } from './terms.ts';

/** A known relation of two values of one family. */
export interface OrderFact {
  readonly left: Term;
  readonly right: Term;
  readonly relations: Relations;
}

/** The relations of the values of one family, after everything that follows from the facts. */
export interface Ordering {
  readonly terms: readonly Term[];
  readonly table: readonly (readonly Relations[])[];
}

/**
 * Orders the values of each family by the facts.
 * @returns undefined if no values fit all facts
 */
export function orderValues(facts: readonly OrderFact[]): readonly Ordering[] | undefined {
  const orderings: Ordering[] = [];
  for (const family of Map.groupBy(facts, ({ left }) => left.family).values()) {
    const ordering = orderFamily(family);
    if (!ordering) return undefined;
    orderings.push(ordering);
  }
  return orderings;
}

function orderFamily(facts: readonly OrderFact[]): Ordering | undefined {
  const given = facts.flatMap(({ left, right }) => [left, right]);
  const terms = [
    ...new Map([...given, ...given.flatMap(allValues)].map((term) => [term.key, term])).values(),
  ];
  const index = new Map(terms.map(({ key }, at) => [key, at]));
  const table = terms.map((a) => terms.map((b) => (a === b ? equal : relationsOf(a, b))));
  for (const { left, right, relations } of facts) {
    const [a = 0, b = 0] = [index.get(left.key), index.get(right.key)];
    const both = (table[a]?.[b] ?? anyRelation) & relations;
    if (both === 0) return undefined;
    setRelations(table, a, b, both);
  }
  const ordering = { terms, table };
  return narrow(table) && terms.every((_, at) => hasValue(at, ordering)) ? ordering : undefined;
}

/** Returns the constants of a type that has few values. */
function allValues({ family, type }: Term): readonly Term[] {
  return (labelsOf(type) ?? []).map((text) => ({
    ...{ key: `=${text}`, family, type, constant: text },
  }));
}

function labelsOf(type: ValueType | undefined): readonly string[] | undefined {
  return type?.name === 'bool' ? ['false', 'true'] : type?.labels;
}

/** Returns whether some value has the required relation to each constant. */
function hasValue(at: number, { terms, table }: Ordering): boolean {
  const type = terms[at]?.type;
  const constants = terms.flatMap((term, index) =>
    term.constant === undefined
      ? []
      : [{ text: term.constant, relations: table[at]?.[index] ?? 0 }],
  );
  if (labelsOf(type)) return constants.some(({ relations }) => relations & equal);
  if (!type?.isWhole || terms[at]?.constant !== undefined) return true;
  const sorted = constants.toSorted((a, b) => difference(type, a.text, b.text));
  if (sorted.some(({ relations }) => relations & equal)) return true;
  // The value lies between two neighbours, or beyond the ends, where there is always room.
  return [...sorted, undefined].some((above, index) => {
    const below = sorted[index - 1];
    if (below && above && !hasRoom(type, below.text, above.text)) return false;
    return sorted.every(({ relations }, place) => relations & (place < index ? greater : less));
  });
}

function difference(type: ValueType, a: string, b: string): number {
  if (compare('=', type, a, b) === true) return 0;
  return compare('<', type, a, b) === true ? -1 : 1;
}

/** Returns whether a whole number or a day lies between two others. */
function hasRoom({ name }: ValueType, below: string, above: string): boolean {
  const place = (text: string) =>
    name === 'date' ? BigInt(Date.parse(`${text}T00:00:00Z`)) / 86_400_000n : numberOf(text);
  const [a, b] = [place(below), place(above)];
  return a === undefined || b === undefined || b - a > 1n;
}

/** A decimal constant has whole numbers on both sides, which is counted as room. */
function numberOf(text: string): bigint | undefined {
  return /^-?\d+$/.test(text) ? BigInt(text) : undefined;
}
