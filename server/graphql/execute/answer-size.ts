import { type AnswerBytes, answersHoldTooMuch } from '../../db/requests/answer-memory.ts';
import { type ErrorView, sizeLimit, toRequestError } from './errors/postgres-error.ts';

export interface AnswerSizeOptions {
  readonly answer: AnswerBytes;
  /** Whether the operation writes. Its changes are made, so its answer takes memory beyond the limit if necessary. */
  readonly writes: boolean;
  readonly errors: ErrorView;
}

/**
 * Checks the size of a complete answer. It can be larger than the bytes from Postgres, because plugins add values and
 * Grafast repeats rows. Takes memory for the difference. @throws RequestError
 */
export function refuseLargeAnswer(text: string, options: AnswerSizeOptions): void {
  const { answer, writes, errors } = options;
  const bytes = Buffer.byteLength(text);
  if (bytes > errors.maxBytes) throw sizeLimit(errors);
  const more = bytes - answer.received;
  if (more <= 0) return;
  if (writes) answer.receiveAnyway(more);
  else if (!answer.receive(more)) throw toRequestError(answersHoldTooMuch(), errors);
}
