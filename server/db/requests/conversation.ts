import type pg from 'pg';
import { isRolledBack, OutcomeUnknownError } from './outcome-unknown-error.ts';
import type { PipelinedClient } from './pipelined-client.ts';
import { stopWhenUnwanted } from './stop-unwanted.ts';

/** A statement of which every row is wanted, as drivers take it. */
export interface AnyStatement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** From `statementName`, for a statement that is worth preparing. */
  readonly name: string | undefined;
  /** Whether rows come as lists of their values; else as objects by column. */
  readonly asLists: boolean;
}

/** Runs any statement inside a transaction. */
export type RunAny = (statement: AnyStatement) => Promise<pg.QueryResult>;

/** What becomes of a transaction: it is kept only where nothing in it has failed. */
export interface Ending {
  readonly isKept: boolean;
  /** Whether the statements may have changed the session beyond the transaction. */
  readonly isForeign: boolean;
}

/** Postgres has rolled back what was to be kept, since a statement had failed of which nobody was told. */
export class RolledBackError extends Error {
  constructor() {
    super('a transaction that was to be kept had failed');
    this.name = 'RolledBackError';
  }
}

/** A connection while it is lent. */
export interface Loan {
  readonly client: PipelinedClient;
  /** Whether it may be lent again. */
  isFit: boolean;
}

export interface Conversation {
  /** Resolves once the transaction has begun, with its settings. Statements may be sent before. */
  readonly begun: Promise<unknown>;
  readonly writes: boolean;
  /** Ends when nobody wants the outcome any more; absent where the work runs to its end. */
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
  const stopped = signal && stopWhenUnwanted({ client, begun, signal });
  const run: RunAny = async ({ text, values, name, asLists }) => {
    signal?.throwIfAborted();
    try {
      return await client.result({ text, values: [...values], name }, asLists);
    } catch (error) {
      signal?.throwIfAborted();
      // Where the transaction has not begun, that is why.
      await begun;
      throw error;
    }
  };
  const ending = await work(run).catch((error: unknown) => ({ isKept: false, error }) as const);
  await stopped?.();
  if ('error' in ending || !writes || !ending.isKept) {
    const isForeign = 'error' in ending || ending.isForeign;
    loan.isFit = await succeeds(sendAll(client, isForeign ? ['rollback', UNLOCK] : ['rollback']));
    if ('error' in ending) throw ending.error;
    return;
  }
  loan.isFit = false;
  await commit(client);
  loan.isFit = !ending.isForeign || (await succeeds(sendAll(client, RESETS)));
}

async function commit(client: PipelinedClient): Promise<void> {
  const { command } = await client.query('commit').catch((error: unknown) => {
    throw isRolledBack({ commit: error }) ? error : new OutcomeUnknownError(error);
  });
  // Postgres says by this alone that it has rolled back instead.
  if (command !== 'COMMIT') throw new RolledBackError();
}

/** Locks of a session outlive a transaction in any case. */
const UNLOCK = 'select pg_catalog.pg_advisory_unlock_all()';
/** Settings and objects of a session outlive a transaction that is kept. */
const RESETS = ['reset role', 'reset all', 'unlisten *', 'close all', 'discard temp', UNLOCK];

function sendAll(client: PipelinedClient, texts: readonly string[]): Promise<unknown> {
  return client.flight(() => Promise.all(texts.map((text) => client.query(text))));
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
