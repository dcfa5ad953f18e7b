import { type AnswerBytes, answersHoldTooMuch } from './answer-memory.ts';
import type { PipelinedClient } from './pipelined-client.ts';

/** A connection of the pool while one request uses the connection. */
export interface Loan {
  readonly client: PipelinedClient;
  /** Whether the connection can be used again. */
  isFit: boolean;
}

/** Options of a request. */
export interface RunOptions {
  /** Cancels the request. */
  readonly signal?: AbortSignal | undefined;
  /** Counts the bytes from Postgres. */
  readonly answer?: AnswerBytes | undefined;
}

export interface LoanOptions extends RunOptions {
  /** Counts the bytes of an answer to a write. Such an answer is never refused. */
  readonly written?: AnswerBytes | undefined;
}

/**
 * Returns a function that counts the bytes that a connection receives. When the memory for answers is full, the
 * function closes the connection of a read, which makes the read fail.
 */
export function counterOf(
  client: PipelinedClient,
  { answer, written }: LoanOptions,
): PipelinedClient['onReceived'] {
  if (written) return (bytes) => written.receiveAnyway(bytes);
  if (!answer) return undefined;
  return (bytes) => {
    if (!answer.receive(bytes)) client.abandon(answersHoldTooMuch());
  };
}
