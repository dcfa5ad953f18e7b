import type pg from 'pg';

/** A part of the screen Application. An application declares it as data, and the console draws it. */
export interface ConsoleSection {
  /** The name in addresses and records, such as `api-keys`. */
  readonly name: string;
  readonly title: string;
  readonly lists: readonly SectionList[];
}

/** A list of a section. Every text that it returns is shown as text, never as markup. */
export interface SectionList {
  /** Unique in its section. */
  readonly name: string;
  readonly title: string;
  /** The sentences above the list. */
  readonly description: string;
  /** The name of another list of the section: this list then shows what belongs to one row of that list. */
  readonly of?: string;
  /** What the search compares, such as `Name or e-mail address`; absent: the list has no search. */
  readonly search?: string;
  readonly filter?: SectionChoice;
  readonly columns: readonly SectionColumn[];
  /** The sentence for a list without rows, which says what to do. */
  readonly empty: string;
  readonly acts: readonly SectionAct[];
  /** Whether the screen Health shows the first rows, too. */
  readonly isForHealth?: boolean;
  /** Reads one page. The transaction of the client is rolled back. */
  read(client: pg.ClientBase, question: ListQuestion): Promise<ListPage>;
}

export interface SectionColumn {
  readonly title: string;
  /** `time`: texts in ISO 8601; `code`: names and ids; default: words. */
  readonly kind?: 'time' | 'code';
}

/** A choice of one of several names. */
export interface SectionChoice {
  readonly title: string;
  /** Returns the names. They must be no values of rows, because addresses contain them. */
  names(): readonly string[];
}

export interface ListQuestion {
  readonly search?: string | undefined;
  /** One of the names of the filter. */
  readonly filter?: string | undefined;
  /** The key of the row to which the list belongs; empty unless the list has `of`. */
  readonly of: string;
  /** The values of `next` of the page before. Callers send them, so they can be any texts. */
  readonly after?: readonly string[] | undefined;
  /** The maximum number of rows. */
  readonly limit: number;
}

export interface ListPage {
  readonly rows: readonly ListRow[];
  /** The values by which the next page begins; absent on the last page. */
  readonly next?: readonly string[] | undefined;
}

export interface ListRow {
  /** Identifies the row for acts, and for lists that belong to it. It must open nothing. */
  readonly key: string;
  /** A text for each column; null shows nothing. */
  readonly cells: readonly (string | null)[];
}

/** Something that an admin can do with chosen rows of a list. */
export interface SectionAct {
  /** Unique in its list. */
  readonly name: string;
  /** The label of its button, such as `Grant a role`. */
  readonly title: string;
  /** What has to be chosen in addition to rows, such as a role. */
  readonly choice?: SectionChoice;
  /**
   * Returns the words of what will happen: how many, which, and whether it can be undone.
   * @throws Refusal when it cannot happen
   */
  words(client: pg.ClientBase, chosen: Chosen): Promise<ActWords>;
  /**
   * Does it, in a transaction in which `words` has returned the words that the admin has confirmed.
   * @throws Refusal
   */
  run(client: pg.ClientBase, chosen: Chosen): Promise<ActResult>;
}

/** The rows of an act, and its choice. */
export interface Chosen {
  readonly keys: readonly string[];
  /** The key of the row to which the list belongs; empty unless the list has `of`. */
  readonly of: string;
  /** One of the names of the act's choice; empty if it has none. */
  readonly choice: string;
}

export interface ActWords {
  /** Such as `End 2 sessions?`. */
  readonly question: string;
  /** One sentence or item a line. */
  readonly lines: readonly string[];
}

export interface ActResult {
  /** A sentence that says what was done. */
  readonly done: string;
  /** Runs after the transaction. */
  readonly afterwards?: () => void;
}
