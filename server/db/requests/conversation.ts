import type pg from 'pg';
import { cancelOnAbort } from './cancel-on-abort.ts';
import type { Loan } from './loan.ts';
import { isRolledBack, OutcomeUnknownError } from './outcome-unknown-error.ts';
import type { PipelinedClient } from './pipelined-client.ts';

/** A statement with any number of rows, in the form that database drivers use. */
export interface AnyStatement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** The name from `statementName`, for a statement to prepare. */
  readonly name: string | undefined;
  /** Whether rows are returned as lists of values instead of objects by column. */
  readonly asLists: boolean;
}

/** Runs any statement inside a transaction. */
export type RunAny = (statement: AnyStatement) => Promise<pg.QueryResult>;

/** The way in which a transaction ends. It is committed only when no statement in it has failed. */
export interface Ending {
  readonly commits: boolean;
  /**
   * Whether the statements may have changed the session beyond the transaction, as statements of plugins may. The
   * session is then reset.
   */
  readonly isForeign: boolean;
}

/** Postgres has rolled back instead of committing, because an earlier statement had failed unnoticed. */
export class RolledBackError extends Error {
  constructor() {
    super('a transaction was rolled back instead of committed');
    this.name = 'RolledBackError';
  }
}

export interface Conversation {
  /** Resolves once the transaction has begun with its settings. Statements may be sent earlier. */
  readonly begun: Promise<unknown>;
  readonly writes: boolean;
  /** Aborting this signal stops the work. Undefined when the work always runs to its end. */
  readonly signal: AbortSignal | undefined;
}

/** Runs statements one by one in a transaction that has begun, and ends it. */
export async function converse(
  loan: Loan,
  { begun, writes, signal }: Conversation,
  work: (run: RunAny) => Promise<Ending>,
): Promise<void> {
  const { client } = loan;
  begun.catch(() => {});
  const stopped = signal && cancelOnAbort({ client, begun, signal });
  const run: RunAny = async ({ text, values, name, asLists }) => {
    signal?.throwIfAborted();
    try {
      return await client.result({ text, values: [...values], name }, asLists);
    } catch (error) {
      signal?.throwIfAborted();
      // When the transaction failed to begin, this line throws the error, which is the cause of all later errors.
      await begun;
      throw error;
    }
  };
  const ending = await work(run).catch((error: unknown) => ({ commits: false, error }) as const);
  await stopped?.();
  if ('error' in ending || !writes || !ending.commits) {
    const isForeign = 'error' in ending || ending.isForeign;
    loan.isFit = await succeeds(sendAll(client, isForeign ? ['rollback', UNLOCK] : ['rollback']));
    if ('error' in ending) throw ending.error;
    return;
  }
  loan.isFit = false;
  await commit(client);
  loan.isFit = !ending.isForeign || (await succeeds(sendAll(client, RESETS)));
}

/** @throws OutcomeUnknownError when it is unknown whether Postgres committed */
export async function commit(client: PipelinedClient): Promise<void> {
  const { command } = await client.query('commit').catch((error: unknown) => {
    throw isRolledBack({ commit: error }) ? error : new OutcomeUnknownError(error);
  });
  // After a failed statement, Postgres answers COMMIT with a rollback and reports no error. Only the command tag
  // `ROLLBACK` shows the rollback.
  if (command !== 'COMMIT') throw new RolledBackError();
}

/** Session locks outlive every transaction. */
const UNLOCK = 'select pg_catalog.pg_advisory_unlock_all()';
/** Session settings and objects outlive a committed transaction. */
const RESETS = ['reset role', 'reset all', 'unlisten *', 'close all', 'discard temp', UNLOCK];

function sendAll(client: PipelinedClient, texts: readonly string[]): Promise<unknown> {
  return client.flight(() => Promise.all(texts.map((text) => client.query(text))));
}

export function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
