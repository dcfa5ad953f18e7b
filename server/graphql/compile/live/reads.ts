import type { SQL } from 'postgraphile/pg-sql2';
import type { RelationshipView, TableView } from '../../schema/view/table-view.ts';
import { type ArgumentKeys, noKeys } from './where-keys.ts';

/** One place where a statement reads rows of a table. */
export interface TableRead {
  readonly table: TableView;
  /** Values of columns that the arguments determine in all rows that count. */
  readonly keys: ArgumentKeys;
  /** Whether a function returns the rows. It may read rows that the role does not see. */
  readonly isCalled: boolean;
  /** The row that the rows are joined with, if the read follows a relationship. */
  readonly joined: JoinedRead | undefined;
}

export interface JoinedRead {
  readonly relationship: RelationshipView;
  readonly local: TableRead;
}

/** Facts about one read, as the compilation knows them. */
export interface ReadFacts {
  /** The alias of the rows. Later reads that join with them name it. */
  readonly alias?: SQL;
  /** Values of columns from the arguments. Called only if reads are recorded. */
  readonly keys?: () => ArgumentKeys;
  readonly isCalled?: boolean;
  readonly joined?: { readonly relationship: RelationshipView; readonly local: SQL } | undefined;
}

/** Records which rows the statement of a subscription reads, so that only changes of them cause a refetch. */
export class Reads {
  readonly tables: TableRead[] = [];
  /** Whether a function is called that may read anything. */
  callsFunctions = false;
  readonly #byAlias = new Map<SQL, TableRead>();

  add(table: TableView, { alias, keys, isCalled = false, joined }: ReadFacts): void {
    const local = joined && this.#byAlias.get(joined.local);
    const read: TableRead = {
      ...{ table, isCalled },
      keys: keys?.() ?? noKeys,
      joined: joined && local && { relationship: joined.relationship, local },
    };
    this.tables.push(read);
    if (alias) this.#byAlias.set(alias, read);
  }
}
