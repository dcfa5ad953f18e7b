import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Logger } from 'pino';
import { loggedReason } from '../../log/log-error.ts';
import { cancelOnAbort } from './cancel-on-abort.ts';
import { converse, type Ending, type RunAny } from './conversation.ts';
import { BusyError } from './fairness/busy-error.ts';
import { FairQueue } from './fairness/fair-queue.ts';
import type { FlightOptions, Landing } from './flight.ts';
import { counterOf, type Loan, type LoanOptions, type RunOptions } from './loan.ts';
import {
  isFatal,
  isRolledBack,
  OutcomeUnknownError,
  StatementError,
} from './outcome-unknown-error.ts';
import { PipelinedClient } from './pipelined-client.ts';
import { makeSettingsQuery, type RequestSettings, type SettingsQuery } from './request-settings.ts';
import { type JsonRow, type JsonStatement, type RunStatement, transact } from './transaction.ts';
import { ConnectionStack } from './wire/connection-stack.ts';
import { type ByteString, byteRow, textRow } from './wire/message-reader.ts';

/** The numbers of connections and of requests that wait for one. */
export interface PoolUse {
  readonly used: number;
  readonly idle: number;
  readonly max: number;
  readonly waiting: number;
}

export interface RequestPoolOptions {
  readonly connectionString: string;
  /** The maximum number of connections. */
  readonly size: number;
  /** The maximum wait for a connection, in milliseconds. */
  readonly maxWaitMs: number;
  /** The time limit of one statement. */
  readonly statementTimeoutMs: number;
  readonly logger: Logger;
  /** Called after a transaction was committed that may have written. */
  readonly onWritten?: () => void;
}

const BEGIN_SNAPSHOT = 'begin isolation level repeatable read, read only';
const BEGIN_WRITING = 'begin';

/** The beginning of a flight needs no confirmation, because its settings and its statements are one transaction. */
const sent = Promise.resolve();

const CONNECT_TIMEOUT_MS = 5000;
/** Time that Postgres gets after the statement timeout to report it, before the client gives up. */
const CLIENT_GRACE_MS = 5000;
/** The maximum number of requests that wait for a connection. */
const MAX_WAITING = 1000;
/**
 * A waiting request counts as an additional request for each 16 KiB of its body, because a parsed body uses many times
 * its size in memory.
 */
const WAITING_BYTES = 16 * 1024;
/** The maximum number of waiting requests that one request may count as. */
const MAX_WAITING_AS = MAX_WAITING / 4;

/**
 * Makes the name of a prepared statement. It depends on the role, because Postgres replans a statement for another
 * role.
 */
export function statementName(role: string, text: string): string {
  return `q${createHash('sha256').update(`${role}\0${text}`).digest('base64url')}`;
}

/** The only row of a statement, undecoded. */
export type ByteRow = readonly (ByteString | null)[];

/**
 * Runs each request in its own transaction under its own role. Callers share the connections. A request that gets no
 * connection in time is refused with a BusyError. So is a request whose caller may use no more memory for answers; a
 * write is refused only before it begins.
 */
export class RequestPool {
  readonly #connections: ConnectionStack<PipelinedClient>;
  readonly #queue: FairQueue;
  readonly #max: number;
  readonly #timeout: string;
  readonly #onWritten: (() => void) | undefined;

  constructor(options: RequestPoolOptions) {
    this.#onWritten = options.onWritten;
    this.#timeout = String(options.statementTimeoutMs);
    const { size: places, maxWaitMs } = options;
    this.#max = places;
    this.#queue = new FairQueue({
      ...{ places, maxWaiting: MAX_WAITING, maxWaitMs },
      resource: 'a connection to the database',
    });
    // Only the reason is logged, because the error of an idle connection contains the connection with its cancel key.
    const warn = (error: Error) => {
      if (error instanceof BusyError) return;
      options.logger.warn({ reason: loggedReason(error) }, 'a connection broke');
    };
    this.#connections = new ConnectionStack(() => {
      const client = new PipelinedClient({
        connectionString: options.connectionString,
        connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
        query_timeout: options.statementTimeoutMs + CLIENT_GRACE_MS,
        application_name: 'rowgate',
      });
      return client.on('error', warn);
    });
  }

  get use(): PoolUse {
    return { ...this.#connections.counts, max: this.#max, waiting: this.#queue.waiting };
  }

  /**
   * Runs one statement that only reads, in one round trip. Rejects, like the other methods, with Postgres's error
   * (`pg.DatabaseError`) or a connection error. An abort of `signal` cancels the statement and rejects with its reason.
   */
  read(
    settings: RequestSettings,
    statement: JsonStatement,
    options: RunOptions = {},
  ): Promise<ByteRow> {
    const flight = { readRow: byteRow, writes: false, signal: options.signal };
    return this.#lend(
      settings,
      async (loan) => {
        const landing = await this.#flight(loan, settings, [statement], flight);
        return landing.firstRows[1] ?? [];
      },
      options,
    );
  }

  /**
   * Runs statements that may write in order, as one transaction and in one round trip. After the first error Postgres
   * runs no further statement and rolls back. Once they have a connection, the statements run to their end.
   * Rejects with StatementError when one of the statements failed. Rejects with OutcomeUnknownError when it is unknown
   * whether Postgres committed. After any other error nothing was committed.
   * @returns the row of each statement
   */
  write(
    settings: RequestSettings,
    statements: readonly JsonStatement[],
    options: RunOptions = {},
  ): Promise<readonly JsonRow[]> {
    const { signal, answer } = options;
    const run = async (loan: Loan) => {
      const landing =
        statements.length === 1
          ? await this.#flight(loan, settings, statements, { readRow: textRow, writes: true })
          : await this.#flightInTime(loan, settings, statements);
      return statements.map((_, index) => landing.firstRows[index + 1] ?? []);
    };
    return this.#written(this.#lend(settings, run, { signal, written: answer }));
  }

  /**
   * Runs several statements in one transaction, which is rolled back when `work` rejects. `work` sends each statement
   * when it has the result of the earlier one. In all other respects, it is like `write`.
   */
  transact<T>(
    settings: RequestSettings,
    work: (run: RunStatement) => Promise<T>,
    options: RunOptions = {},
  ): Promise<T> {
    const { signal, answer } = options;
    const run = (loan: Loan) => {
      const begun = this.#begin(loan, settings, BEGIN_WRITING);
      return transact(loan, { begun, writes: true, signal: undefined }, work);
    };
    return this.#written(this.#lend(settings, run, { signal, written: answer }));
  }

  /**
   * Runs several statements that only read, on one snapshot. An abort of `signal` cancels the running statements, and
   * all later statements reject with its reason.
   */
  snapshot<T>(
    settings: RequestSettings,
    work: (run: RunStatement) => Promise<T>,
    options: RunOptions = {},
  ): Promise<T> {
    const run = (loan: Loan) => {
      const begun = this.#begin(loan, settings, BEGIN_SNAPSHOT);
      return transact(loan, { begun, writes: false, signal: options.signal }, work);
    };
    return this.#lend(settings, run, options);
  }

  /**
   * Runs a transaction in which `work` sends statements one by one, with any number of rows. A transaction that only
   * reads uses one snapshot, is cancelled when `signal` aborts, and is rolled back. A transaction that may write ends
   * in the same way as one of `transact`.
   */
  converse(
    settings: RequestSettings,
    writes: boolean,
    work: (run: RunAny) => Promise<Ending>,
    { signal, answer }: RunOptions = {},
  ): Promise<void> {
    const run = (loan: Loan) => {
      const begun = this.#begin(loan, settings, writes ? BEGIN_WRITING : BEGIN_SNAPSHOT);
      return converse(loan, { begun, writes, signal: writes ? undefined : signal }, work);
    };
    return writes
      ? this.#written(this.#lend(settings, run, { signal, written: answer }))
      : this.#lend(settings, run, { signal, answer });
  }

  close(): Promise<void> {
    return this.#connections.close();
  }

  async #written<T>(committed: Promise<T>): Promise<T> {
    const result = await committed;
    this.#onWritten?.();
    return result;
  }

  async #lend<T>(
    settings: RequestSettings,
    work: (loan: Loan) => Promise<T>,
    options: LoanOptions,
  ): Promise<T> {
    const { share } = settings;
    const { signal } = options;
    await this.#queue.enter(share, signal, waitingAs(settings));
    const entered = performance.now();
    try {
      // The queue admits at most as many requests as there may be connections.
      const taken = this.#connections.take();
      const client = taken instanceof Promise ? await taken : taken;
      const loan = { client, isFit: true };
      try {
        signal?.throwIfAborted();
        options.written?.refuseWhereFull();
        loan.isFit = false;
        client.onReceived = counterOf(client, options);
        return await work(loan);
      } finally {
        client.onReceived = undefined;
        const isFit = loan.isFit && !client.isThreatened && !client.prepared.areSpent;
        this.#connections.give(client, isFit);
      }
    } finally {
      this.#queue.leave(share, performance.now() - entered);
    }
  }

  // Every setting is local to the transaction. After a failure the connection has only the rights of the login again,
  // which may read no tables.
  async #flight<Row>(
    loan: Loan,
    settings: RequestSettings,
    statements: readonly JsonStatement[],
    { writes, signal, ...options }: TransactionOptions<Row>,
  ): Promise<Landing<Row>> {
    const { client } = loan;
    const flying = client.fly([this.#settingsQuery(settings, !writes), ...statements], options);
    const stopped = signal && cancelOnAbort({ client, begun: sent, signal });
    const landing = await flying;
    const cancelled = stopped?.();
    if (cancelled) await cancelled;
    const { completed, error } = landing;
    if (error === undefined && client.getTransactionStatus() !== 'I')
      throw new Error('a statement has left its transaction open');
    if (error === undefined && completed !== statements.length + 1)
      throw writes
        ? new OutcomeUnknownError(undefined)
        : new Error('the answers of Postgres do not fit the statements');
    loan.isFit = error === undefined || leavesConnection(error);
    if (error === undefined) return landing;
    if (!writes) signal?.throwIfAborted();
    // The settings are the first of the completed statements.
    const isCommit = completed > statements.length;
    const errors = isCommit ? { commit: error } : { before: [error], commit: error };
    if (writes && !isRolledBack(errors)) throw new OutcomeUnknownError(error);
    throw writes && !isCommit && completed > 0 ? new StatementError(completed - 1, error) : error;
  }

  /**
   * Runs a flight whose statements may take twice the time limit of one statement together, because the transaction
   * holds its locks until the last one ends. Postgres applies `statement_timeout` to each Execute message, also when many
   * of them stand before one Sync message, so it does not limit the flight.
   */
  async #flightInTime(
    loan: Loan,
    settings: RequestSettings,
    statements: readonly JsonStatement[],
  ): Promise<Landing<JsonRow>> {
    const { statementTimeoutMs = Number(this.#timeout) } = settings;
    const maxMs = 2 * statementTimeoutMs;
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), maxMs);
    try {
      return await this.#flight(loan, settings, statements, {
        ...{ readRow: textRow, writes: true },
        ...{ signal: stop.signal, maxMs: maxMs + CLIENT_GRACE_MS },
      });
    } finally {
      clearTimeout(timer);
    }
  }

  #begin({ client }: Loan, settings: RequestSettings, begin: string): Promise<unknown> {
    const query = this.#settingsQuery(settings, false);
    return client.flight(() => Promise.all([client.query(begin), client.rows(query)]));
  }

  /** @param isReadOnly whether the statement also makes its transaction read-only */
  #settingsQuery(settings: RequestSettings, isReadOnly: boolean): SettingsQuery {
    const { statementTimeoutMs } = settings;
    const timeout = statementTimeoutMs === undefined ? this.#timeout : String(statementTimeoutMs);
    return makeSettingsQuery(settings, timeout, isReadOnly);
  }
}

function waitingAs({ bytes = 0 }: RequestSettings): number {
  return Math.min(MAX_WAITING_AS, 1 + Math.floor(bytes / WAITING_BYTES));
}

interface TransactionOptions<Row> extends Pick<FlightOptions<Row>, 'readRow' | 'maxMs'> {
  readonly writes: boolean;
  /** Aborting this signal cancels the running statement. */
  readonly signal?: AbortSignal | undefined;
}

function leavesConnection(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !isFatal(error);
}
