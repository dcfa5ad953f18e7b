import { type SQL, sql } from 'postgraphile/pg-sql2';
import { type AnswerBytes, answersHoldTooMuch } from '../../db/requests/answer-memory.ts';
import { RequestError, unavailable } from '../request-error.ts';
import { failingCast } from './failing-cast.ts';

/** Part of the message of the error that Postgres raises for an answer that is too large. */
export const SIZE_LIMIT_MARK = 'rowgate size limit';

/** Compiles to the text `text`, or to an error in Postgres when `bytes` is more than `maxBytes`. */
export function failAboveBytes(bytes: SQL, maxBytes: number, text: SQL): SQL {
  return sql`case when ${bytes} operator(pg_catalog.>) ${sql.literal(maxBytes)} then ${failingCast(SIZE_LIMIT_MARK, bytes)} else ${text} end`;
}

/** The error of an answer that is too large. */
export function sizeLimit({ maxBytes }: { readonly maxBytes: number }): RequestError {
  return new RequestError(
    'size-limit-exceeded',
    `the answer would be larger than ${maxBytes} bytes, or the query has more fields than Postgres takes; request less`,
  );
}

export interface AnswerSizeOptions {
  readonly answer: AnswerBytes;
  /**
   * True if the operation writes. Its answer then gets memory even when none is free, because the client must receive
   * the confirmation of the changes.
   */
  readonly writes: boolean;
  readonly maxBytes: number;
}

/**
 * Checks the size of a whole answer and takes memory for the bytes that Postgres has not sent. Plugins add values, and
 * Grafast repeats rows.
 * @throws RequestError
 */
export function refuseLargeAnswer(text: string, options: AnswerSizeOptions): void {
  const { answer, writes, maxBytes } = options;
  const bytes = Buffer.byteLength(text);
  if (bytes > maxBytes) throw sizeLimit({ maxBytes });
  const more = bytes - answer.received;
  if (more <= 0) return;
  if (writes) answer.receiveAnyway(more);
  else if (!answer.receive(more)) throw unavailable(answersHoldTooMuch().message);
}
