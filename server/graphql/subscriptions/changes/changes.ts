import type { TableKey } from '../../../../permissions/index.ts';
import type { StreamedRow } from '../../request/live-operation.ts';

/** One statement that has changed rows of a live table. The statement is committed and visible. */
export interface TableChange {
  readonly table: TableKey;
  /**
   * The values that the key columns of the changed rows had before and have now, each as `column=value` with the text that
   * Postgres writes for the value. `column*` stands for too many values of a column. Null: any row may have changed.
   */
  readonly keys: readonly string[] | null;
  /**
   * Rows that streams may have to send, as {@link StreamedRow} texts. Null: unknown, because there were too many. Empty for
   * a statement that only deletes.
   */
  readonly rows: readonly StreamedRow[] | null;
}

/** The changes of live tables since the last report. */
export interface Changes {
  /**
   * False if changes may be missing, e.g. at the start, after a restart of Postgres, or when the reader was behind for too
   * long. Then everything may have changed.
   */
  readonly isComplete: boolean;
  readonly changes: readonly TableChange[];
  /** `performance.now()` when the query began that has read the changes. Changes committed before are in a report. */
  readonly readFrom: number;
}

/** Reports changes of live tables. Each committed change is in exactly one report. */
export interface ChangeSource {
  /** Reports every read, also one without changes. Reading stops while there are no listeners. */
  listen(onChanges: (changes: Changes) => void): () => void;
  /** Reads as soon as possible, because this process has just written. */
  wake(): void;
  close(): Promise<void>;
}
