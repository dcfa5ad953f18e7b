import type { ListPage, ListRow } from '../../console/sections/section.ts';
import { changed } from '../../console/sections/section-refusals.ts';

interface PageParts<Item> {
  rowOf(item: Item): ListRow;
  /** Returns the values by which the page after this item begins. */
  placeOf(item: Item): readonly string[];
}

/** Makes a page of items, of which one more than the page has was read. */
export function pageOf<Item>(
  items: readonly Item[],
  limit: number,
  { rowOf, placeOf }: PageParts<Item>,
): ListPage {
  const shown = items.slice(0, limit);
  const last = items.length > limit ? shown.at(-1) : undefined;
  return { rows: shown.map(rowOf), ...(last && { next: placeOf(last) }) };
}

/** @throws Refusal 409 when a chosen row does not exist any more */
export function refuseMissing(found: readonly unknown[], keys: readonly string[]): void {
  if (found.length !== keys.length) throw changed();
}

/** Shows a time in ISO 8601 and UTC to people. */
export function wordsForTime(text: string): string {
  return `${text.slice(0, 19).replace('T', ' ')} UTC`;
}

/** Returns `1 session`, `2 sessions`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
