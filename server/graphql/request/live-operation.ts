import type { TableKey } from '../../../permissions/index.ts';
import type { AnswerText } from '../answer-text.ts';

/** A subscription that an engine has checked and compiled for one caller. */
export type LiveOperation = LiveQuery | LiveStream;

interface Subscribed {
  readonly dependencies: Dependencies;
  /**
   * Equal for subscriptions that get the same answers: the same version of the rules, role, statement and arguments, and
   * the same values of the session variables that the answer can depend on.
   */
  readonly cohort: string;
}

/** A query whose answer is sent again whenever it changes. */
export interface LiveQuery extends Subscribed {
  readonly kind: 'query';
  /**
   * Runs the query in a transaction of its own under the caller's role. Returns the response as JSON text.
   * @throws RequestError, CallerError, BusyError
   */
  fetch(signal: AbortSignal): Promise<AnswerText>;
}

/** The rows of a table in the order of a cursor, each once, and then every row that arrives. */
export interface LiveStream extends Subscribed {
  readonly kind: 'stream';
  readonly table: TableKey;
  /** The columns of the cursor. */
  readonly cursor: readonly string[];
  /** Maximum rows of one message. */
  readonly batchSize: number;
  /**
   * Reads the next rows in the order of the cursor and the primary key.
   * @param after the place of the last row that was sent; undefined at the beginning
   */
  page(after: StreamPlace | undefined, signal: AbortSignal): Promise<StreamBatch>;
  /**
   * Reads the named rows. Rows that the client may not see, and rows before the initial value of the cursor, are left
   * out.
   */
  pick(rows: readonly StreamedRow[], signal: AbortSignal): Promise<readonly StreamBatch[]>;
}

/** The place of a row in a stream: the values of the cursor and of the primary key, as texts. */
export type StreamPlace = readonly (string | null)[];

/** Rows of a stream for one message. */
export interface StreamBatch {
  /** The response as JSON text. */
  readonly text: AnswerText;
  /** The primary keys of the rows, as {@link StreamedRow} names them. */
  readonly keys: readonly string[];
  /** The place of the last row; undefined when there are no rows. */
  readonly last: StreamPlace | undefined;
}

/** The rows that the answer of a subscription depends on. */
export interface Dependencies {
  /** Tables whose changes are reported, once for each occurrence in the statement or in a rule. */
  readonly tables: readonly TableDependency[];
  /**
   * Whether the answer can change without a report, because it reads the time, a table that is not live, or a function
   * whose reads are unknown. Such a subscription is fetched every few seconds too.
   */
  readonly isPolled: boolean;
  /** Tables whose changes are not reported, but would be if their files made them live. */
  readonly notLive: readonly TableKey[];
}

/**
 * An occurrence of a table. A change concerns it if, for every listed key column, the change has one of the values, or
 * `column*`. Without keys, every change of the table concerns it.
 */
export interface TableDependency {
  readonly table: TableKey;
  readonly keys: ReadonlyMap<string, readonly string[]>;
}

/** A row that is new, or whose value of a cursor column has changed. */
export interface StreamedRow {
  /** The values of the primary key as a JSON array of texts. */
  readonly key: string;
  /** The cursor columns whose values have changed. Null for an inserted row. */
  readonly moved: readonly string[] | null;
}
