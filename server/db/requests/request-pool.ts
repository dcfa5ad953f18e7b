import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Logger } from 'pino';
import { loggedReason } from '../../log/log-error.ts';
import { type AnswerBytes, answersHoldTooMuch } from './answer-memory.ts';
import { BusyError } from './busy-error.ts';
import { converse, type Ending, type Loan, type RunAny } from './conversation.ts';
import { FairQueue } from './fair-queue.ts';
import { isFatal, isRolledBack, OutcomeUnknownError } from './outcome-unknown-error.ts';
import { PipelinedClient } from './pipelined-client.ts';
import { makeSettingsQuery, type RequestSettings } from './request-settings.ts';
import { stopWhenUnwanted } from './stop-unwanted.ts';

/** A literal's text, or a list that becomes an array literal. */
export type BoundValue = string | null | readonly BoundValue[];

/** One statement whose single row holds JSON texts. */
export interface JsonStatement {
  readonly text: string;
  readonly values: readonly BoundValue[];
  /** From {@link statementName}, for a statement that is worth preparing. */
  readonly name: string | undefined;
}

export interface RequestPoolOptions {
  readonly connectionString: string;
  /** Connections at most. */
  readonly size: number;
  /** How long a request may wait for one. */
  readonly maxWaitMs: number;
  /** For one statement. */
  readonly statementTimeoutMs: number;
  readonly logger: Logger;
}

const BEGIN_READING = 'begin read only';
const BEGIN_SNAPSHOT = 'begin isolation level repeatable read, read only';
const BEGIN_WRITING = 'begin';
type Begin = typeof BEGIN_READING | typeof BEGIN_SNAPSHOT | typeof BEGIN_WRITING;

const CONNECT_TIMEOUT_MS = 5000;
const CLIENT_GRACE_MS = 5000;
/** Requests that wait for a connection. */
const MAX_WAITING = 1000;
/** A request with a larger body counts as several: it is held meanwhile, and takes many times its size in memory. */
const WAITING_BYTES = 16 * 1024;
/** One request counts as this many at most. */
const MAX_WAITING_AS = MAX_WAITING / 4;

/** The name of a prepared statement. It carries the role: a plan made for one would be made anew for another. */
export function statementName(role: string, text: string): string {
  return `q${createHash('sha256').update(`${role}\0${text}`).digest('base64url')}`;
}

/** What a request brings along beside its statements. */
export interface RunOptions {
  /** Ends when nobody wants the outcome any more. */
  readonly signal?: AbortSignal | undefined;
  /** Counts what Postgres sends. */
  readonly answer?: AnswerBytes | undefined;
}

/** Runs a statement inside a transaction; its only row. */
export type RunStatement = (statement: JsonStatement) => Promise<JsonRow>;

/** The only row of a statement. */
export type JsonRow = readonly (string | null)[];

/**
 * Runs what requests ask for, each in its own transaction under its own role. Callers share the connections; a request
 * that gets none in time is refused with a BusyError, and so is a read for whose answer there is no memory.
 */
export class RequestPool {
  readonly #pool: pg.Pool;
  readonly #queue: FairQueue;
  readonly #timeout: string;

  constructor(options: RequestPoolOptions) {
    this.#timeout = String(options.statementTimeoutMs);
    const { size: places, maxWaitMs } = options;
    this.#queue = new FairQueue({ places, maxWaiting: MAX_WAITING, maxWaitMs });
    this.#pool = new pg.Pool({
      connectionString: options.connectionString,
      max: options.size,
      Client: PipelinedClient,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: options.statementTimeoutMs + CLIENT_GRACE_MS,
      application_name: 'rowgate',
    });
    // The error of an idle connection carries the connection along, with the key that stops what it runs.
    const warn = (error: Error) => {
      if (error instanceof BusyError) return;
      options.logger.warn({ reason: loggedReason(error) }, 'a connection broke');
    };
    // The pool listens to idle connections only, and an error that nobody listens to ends the process.
    this.#pool.on('connect', (client) => client.on('error', warn));
    this.#pool.on('error', () => {});
  }

  /**
   * One statement that writes nothing, in one round trip. Rejects with Postgres's error (`pg.DatabaseError`) or a
   * connection error, as the others do; with the reason of `signal` where that ends first, and then stops the statement.
   */
  read(
    settings: RequestSettings,
    statement: JsonStatement,
    options: RunOptions = {},
  ): Promise<JsonRow> {
    return this.#lend(
      settings,
      (loan) => this.#flight(loan, BEGIN_READING, settings, statement, options.signal),
      options,
    );
  }

  /**
   * One statement that may write, in one round trip. Once there is a connection, it runs to its end. Rejects with
   * OutcomeUnknownError where nobody says whether it was committed; with anything else nothing was.
   */
  write(
    settings: RequestSettings,
    statement: JsonStatement,
    options: RunOptions = {},
  ): Promise<JsonRow> {
    const { signal, answer } = options;
    return this.#lend(settings, (loan) => this.#flight(loan, BEGIN_WRITING, settings, statement), {
      signal,
      written: answer,
    });
  }

  /** Several statements in one transaction, which is rolled back if `work` rejects; in all else as a `write` is. */
  transact<T>(
    settings: RequestSettings,
    work: (run: RunStatement) => Promise<T>,
    options: RunOptions = {},
  ): Promise<T> {
    const { signal, answer } = options;
    return this.#lend(settings, (loan) => this.#transact(loan, BEGIN_WRITING, settings, work), {
      signal,
      written: answer,
    });
  }

  /**
   * Several statements that write nothing and see the rows of one moment, whatever others do meanwhile. When `signal`
   * ends, those that run are stopped, none is run any more, and each rejects with its reason.
   */
  snapshot<T>(
    settings: RequestSettings,
    work: (run: RunStatement) => Promise<T>,
    options: RunOptions = {},
  ): Promise<T> {
    const { signal } = options;
    return this.#lend(
      settings,
      (loan) => {
        const reading = signal ? whileWanted(loan.client, work, signal) : work;
        return this.#transact(loan, BEGIN_SNAPSHOT, settings, reading);
      },
      options,
    );
  }

  /**
   * A transaction whose statements come one by one, of as many rows each as they like, until `work` resolves. What only
   * reads sees the rows of one moment, is stopped when `signal` ends, and is never kept; else as `transact`.
   */
  converse(
    settings: RequestSettings,
    writes: boolean,
    work: (run: RunAny) => Promise<Ending>,
    { signal, answer }: RunOptions = {},
  ): Promise<void> {
    const begin = writes ? BEGIN_WRITING : BEGIN_SNAPSHOT;
    const begun = ({ client }: Loan) =>
      client.flight(() => Promise.all([client.query(begin), this.#configure(client, settings)]));
    const stoppable = writes ? undefined : signal;
    return this.#lend(
      settings,
      (loan) => converse(loan, { begun: begun(loan), writes, signal: stoppable }, work),
      writes ? { signal, written: answer } : { signal, answer },
    );
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  async #lend<T>(
    settings: RequestSettings,
    work: (loan: Loan) => Promise<T>,
    { signal, answer, written }: LoanOptions,
  ): Promise<T> {
    const { share } = settings;
    await this.#queue.enter(share, signal, waitingAs(settings));
    const entered = performance.now();
    try {
      // The pool makes its clients from the class that it was given.
      const client = (await this.#pool.connect()) as pg.PoolClient & PipelinedClient;
      const loan = { client, isFit: signal?.aborted === true };
      try {
        signal?.throwIfAborted();
        written?.refuseWhereFull();
        client.onReceived = counterOf(client, answer, written);
        return await work(loan);
      } finally {
        client.onReceived = undefined;
        const { isThreatened, prepared } = client;
        client.release(!loan.isFit || isThreatened || prepared.areSpent);
      }
    } finally {
      this.#queue.leave(share, performance.now() - entered);
    }
  }

  // Every setting is local to the transaction, so that whatever fails, the connection falls back to the login,
  // which may read nothing.
  async #flight(
    loan: Loan,
    begin: Begin,
    settings: RequestSettings,
    statement: JsonStatement,
    signal?: AbortSignal,
  ): Promise<JsonRow> {
    const { client } = loan;
    const queries = client.flight(
      () =>
        [
          client.query(begin),
          this.#configure(client, settings),
          runStatement(client, statement),
          client.query('commit'),
        ] as const,
    );
    // Stopped before, the statement would run without its settings, as the login.
    const stopped = signal && stopWhenUnwanted({ client, begun: queries[1], signal });
    const results = await Promise.allSettled(queries);
    const errors = reasons(results);
    loan.isFit = errors.every(leavesConnection);
    // What was stopped may have been the commit: then the transaction goes on.
    if ((await stopped?.()) && results[3].status === 'rejected') loan.isFit = false;
    if (errors.length > 0) {
      signal?.throwIfAborted();
      const [commit] = reasons(results.slice(3));
      throw failureOf(begin, errors[0], { before: reasons(results.slice(0, 3)), commit });
    }
    return results[2].status === 'fulfilled' ? results[2].value : [];
  }

  async #transact<T>(
    loan: Loan,
    begin: Begin,
    settings: RequestSettings,
    work: (run: RunStatement) => Promise<T>,
  ): Promise<T> {
    const { client } = loan;
    try {
      await client.flight(() =>
        Promise.all([client.query(begin), this.#configure(client, settings)]),
      );
      const result = await work((statement) => runStatement(client, statement));
      await client.query('commit').catch((error: unknown) => {
        throw failureOf(begin, error, { commit: error });
      });
      loan.isFit = true;
      return result;
    } catch (error) {
      // Where this fails too, the connection is closed, and Postgres rolls back by itself.
      loan.isFit = await client.query('rollback').then(
        () => true,
        () => false,
      );
      throw error;
    }
  }

  #configure(client: PipelinedClient, settings: RequestSettings): Promise<unknown> {
    const { statementTimeoutMs } = settings;
    const timeout = statementTimeoutMs === undefined ? this.#timeout : String(statementTimeoutMs);
    return client.rows(makeSettingsQuery(settings, timeout));
  }
}

function waitingAs({ bytes = 0 }: RequestSettings): number {
  return Math.min(MAX_WAITING_AS, 1 + Math.floor(bytes / WAITING_BYTES));
}

interface LoanOptions extends RunOptions {
  /** Counts what Postgres sends of an answer that must not be lost. */
  readonly written?: AnswerBytes | undefined;
}

/** Counts what a connection receives. A read without memory for its answer loses its connection, and so fails. */
function counterOf(
  client: PipelinedClient,
  answer: AnswerBytes | undefined,
  written: AnswerBytes | undefined,
): PipelinedClient['onReceived'] {
  if (written) return (bytes) => written.receiveAnyway(bytes);
  if (!answer) return undefined;
  return (bytes) => {
    if (!answer.receive(bytes)) client.abandon(answersHoldTooMuch());
  };
}

/** Work on a connection that only reads, and is stopped when nobody wants it any more. */
function whileWanted<T>(
  client: PipelinedClient,
  work: (run: RunStatement) => Promise<T>,
  signal: AbortSignal,
): typeof work {
  return async (run) => {
    const stopped = stopWhenUnwanted({ client, begun: Promise.resolve(), signal });
    const runWanted: RunStatement = async (statement) => {
      signal.throwIfAborted();
      return run(statement).catch((error: unknown) => {
        throw signal.aborted ? signal.reason : error;
      });
    };
    try {
      return await work(runWanted);
    } finally {
      await stopped();
    }
  };
}

function reasons(results: readonly PromiseSettledResult<unknown>[]): readonly unknown[] {
  return results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
}

function failureOf(begin: Begin, error: unknown, errors: Parameters<typeof isRolledBack>[0]) {
  return begin === BEGIN_WRITING && !isRolledBack(errors) ? new OutcomeUnknownError(error) : error;
}

function leavesConnection(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !isFatal(error);
}

async function runStatement(
  client: PipelinedClient,
  { text, values, name }: JsonStatement,
): Promise<JsonRow> {
  const [row = []] = await client.rows({ text, values: [...values], name });
  return row;
}
