import type { Caller } from '../../caller/authenticate.ts';
import type { AnswerBytes } from '../../db/requests/answer-memory.ts';
import type { RequestSettings } from '../../db/requests/request-settings.ts';
import type { RunStatement } from '../../db/requests/transaction.ts';
import type { ExtensionDocument } from '../compile/extension-document.ts';
import type { RequestCaller } from '../request/request-caller.ts';
import type { ExtensionCatalog } from '../schema/view/extension-catalog.ts';
import type { Variables } from '../validate/variables.ts';

/** The transaction of an operation with extension fields. */
export interface ExtensionTransaction {
  /** Runs a compiled statement. Rejects as the request pool does. */
  readonly run: RunStatement;
  /**
   * Runs a document with PostGraphile's own schema and executor; returns values by response key. @throws RequestError
   */
  execute(
    document: ExtensionDocument,
    variables: Variables,
  ): Promise<Readonly<Record<string, unknown>>>;
}

/** One running operation with extension fields. */
export interface ExtensionRun {
  readonly requestCaller: RequestCaller;
  /** The client's document. */
  readonly query: string;
  readonly settings: RequestSettings;
  /** Counts the bytes from Postgres. */
  readonly answer: AnswerBytes;
  /** Aborts when the client no longer waits for the answer. */
  readonly signal: AbortSignal | undefined;
  /** Whether the operation is a mutation. Otherwise it reads from one snapshot and cannot write. */
  readonly writes: boolean;
  /** Maximum milliseconds that the fields of the operation may wait for services other than Postgres. */
  readonly waitMs: number;
  /** Whether the operation has run before, so that its statements are worth preparing. */
  readonly isKnown: boolean;
}

/** Runs extension fields for one role. */
export interface ExtensionRunner {
  /** Runs the work in one transaction, which is committed when the work resolves. Rejects as the request pool does. */
  transact<T>(
    run: ExtensionRun,
    work: (transaction: ExtensionTransaction) => Promise<T>,
  ): Promise<T>;
}

/** Maximum time of all handlers of a mutation, which are called one after the other. */
const MAX_HANDLERS_MS = 60_000;

/**
 * Returns the milliseconds that an operation may wait for handlers of actions. The operation holds its connection and
 * its locks during that time.
 * @param longestMs longest timeout of the operation's handlers
 * @param calls number of sequential calls
 */
export function handlersMs(longestMs: number, calls: number): number {
  return Math.max(longestMs, Math.min(calls * longestMs, MAX_HANDLERS_MS));
}

/** Extension fields in Hasura's dialect: the fields of all roles, and a runner for each role. */
export interface ServedExtensions {
  readonly catalog: ExtensionCatalog;
  runnerOf(caller: Pick<Caller, 'role' | 'isBackend'>): ExtensionRunner;
}
