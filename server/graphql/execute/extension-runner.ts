import type { Caller } from '../../caller/authenticate.ts';
import type { AnswerBytes } from '../../db/requests/answer-memory.ts';
import type { RunStatement } from '../../db/requests/request-pool.ts';
import type { RequestSettings } from '../../db/requests/request-settings.ts';
import type { ExtensionDocument } from '../compile/extension-document.ts';
import type { RequestCaller } from '../request/request-caller.ts';
import type { ExtensionCatalog } from '../schema/view/extension-catalog.ts';
import type { Variables } from '../validate/variables.ts';

/** The one transaction of an operation that fields of extensions take part in. */
export interface ExtensionTransaction {
  /** Runs a compiled statement. Rejects as the request pool does. */
  readonly run: RunStatement;
  /** What stock PostGraphile answers, by response key. @throws RequestError */
  execute(
    document: ExtensionDocument,
    variables: Variables,
  ): Promise<Readonly<Record<string, unknown>>>;
}

/** The parts of one running operation. */
export interface ExtensionRun {
  readonly requestCaller: RequestCaller;
  /** The document of the client. */
  readonly query: string;
  readonly settings: RequestSettings;
  /** Counts what Postgres sends. */
  readonly answer: AnswerBytes;
  /** Aborts when the client has given up. */
  readonly signal: AbortSignal | undefined;
  /** Whether it is a mutation; else it sees the rows of one moment, and writes nothing. */
  readonly writes: boolean;
  /** How long its fields may wait for what is not Postgres, in milliseconds. */
  readonly waitMs: number;
  /** Whether the operation was run before, and its statements are worth preparing. */
  readonly isKnown: boolean;
}

/** Runs fields of extensions for one role. */
export interface ExtensionRunner {
  /** Runs the work in one transaction, which is committed where the work resolves. Rejects as the request pool does. */
  transact<T>(
    run: ExtensionRun,
    work: (transaction: ExtensionTransaction) => Promise<T>,
  ): Promise<T>;
}

/** How long the handlers of a mutation, which are called one after the other, may take together. */
const MAX_HANDLERS_MS = 60_000;

/**
 * How long an operation may wait for handlers of actions; its connection and the locks of its transaction are held
 * meanwhile.
 * @param longestMs that one of the handlers may take
 * @param calls one after the other
 */
export function handlersMs(longestMs: number, calls: number): number {
  return Math.max(longestMs, Math.min(calls * longestMs, MAX_HANDLERS_MS));
}

/** Fields of extensions in Hasura's dialect. */
export interface ServedExtensions {
  readonly catalog: ExtensionCatalog;
  runnerOf(caller: Pick<Caller, 'role' | 'isBackend'>): ExtensionRunner;
}
