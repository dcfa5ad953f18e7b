import type { Place } from '../shell/place.ts';

export type Texts = Readonly<Record<string, string>>;

/** The state of the screen that never stands in the address, because it has values of rows or of people. */
export interface AsMemory {
  /** Session variables by the names of their headers. Absent: not chosen yet. */
  readonly variables?: Texts;
  /** The name of the person whose session variables these are. */
  readonly person?: string;
  /** Values that the listed rows have, by column. */
  readonly match?: Texts;
  /** The key behind which the listed rows begin. */
  readonly after?: Texts;
  /** The key of the row beside the list. */
  readonly row?: Texts;
}

/** The caller whose view is shown. */
export interface Subject {
  readonly role: string;
  readonly variables: Texts;
  readonly person?: string;
}

/** The parts of a place on this screen beside its caller. */
export interface View extends Omit<AsMemory, 'variables' | 'person'> {
  readonly table?: string;
  /** Whether rows that the caller does not see are listed, too. */
  readonly withHidden?: boolean;
}

/** Returns a place of this screen. Only names stand in its address. */
export function placeOf(
  { role, ...caller }: Subject,
  { table, withHidden = false, ...memory }: View = {},
): Place {
  const values = { role, table, rows: withHidden ? 'all' : undefined };
  return { screen: 'as', values, memory: { ...caller, ...memory } };
}

/** Returns the names and values of columns, such as `id = 7, kind = a`. */
export function wordsOf(texts: Texts): string {
  return Object.entries(texts)
    .map(([name, text]) => `${name} = ${text}`)
    .join(', ');
}
