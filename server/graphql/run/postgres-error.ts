import pg from 'pg';
import { CallerError } from '../../context.ts';
import { ROW_LIMIT_MARK } from '../compile/list.ts';
import { SIZE_LIMIT_MARK } from '../compile/statement.ts';
import { RequestError } from '../request-error.ts';
import type { RoleView } from '../view/role-view.ts';
import { type FailedStep, toWriteError } from './write-error.ts';

/** What decides how much a client is told. */
export interface ErrorView {
  /** Others than admin are told nothing that Postgres says, only what its SQLSTATE means. */
  readonly role: RoleView;
  readonly statementTimeoutMs: number;
  readonly maxRows: number;
  readonly maxBytes: number;
}

/** Of class 22, which a client's own values cause; the text could quote values of hidden rows. */
const DATA_EXCEPTIONS: Readonly<Record<string, string>> = {
  '22001': 'a text is longer than its column allows',
  '22003': 'a number is out of the range of its type',
  '22007': 'a date or time is not written as its type requires',
  '22008': 'a date or time is out of the range of its type',
  '22012': 'division by zero',
  '22025': 'a pattern ends with its escape character',
  '2201B': 'a regular expression is not valid',
  '22P02': 'a value is not written as its type requires',
};

/** No equality for `distinct_on` or a distinct count, as of json. */
const UNSUPPORTED = 'the type of a column does not support what is asked of it';

/** Turns whatever a statement failed with into what the client is told; the cause is kept for the log. */
export function toRequestError(
  error: unknown,
  view: ErrorView,
  step?: FailedStep,
): RequestError | CallerError {
  if (error instanceof RequestError || error instanceof CallerError) return error;
  if (!(error instanceof pg.DatabaseError)) return connectionError(error, view);
  const code = error.code ?? '';
  const path = step?.path ?? '$';
  const ofWrite = step && toWriteError(error, view.role, step);
  if (ofWrite) return ofWrite;
  if (error.message.includes(ROW_LIMIT_MARK)) return rowLimit(view);
  // Postgres's own limits, of columns in a statement or of bytes in a value, are in class 54.
  if (error.message.includes(SIZE_LIMIT_MARK) || code.startsWith('54')) return sizeLimit(view);
  if (code === '57014') return timeLimit(view, error);
  if (code.startsWith('22') || isSyntaxOfValue(error)) {
    const message = view.role.isAdmin ? error.message : DATA_EXCEPTIONS[code];
    const kind = code === '22025' ? 'bad-request' : 'data-exception';
    return new RequestError(kind, message ?? 'a value does not suit its type', path, error);
  }
  if (code === '42501') {
    const message = view.role.isAdmin ? error.message : 'permission denied';
    return new RequestError('permission-error', message, path, error);
  }
  if (code === '42883') return new RequestError('data-exception', UNSUPPORTED, path, error);
  if (/^(08|53|57P|58)/.test(code)) return unavailable(error);
  return new RequestError('unexpected', 'database query error', '$', error);
}

// Some extensions call a value that they cannot read a syntax error; one of the statement would have a position.
function isSyntaxOfValue({ code, position }: pg.DatabaseError): boolean {
  return code === '42601' && position === undefined;
}

function connectionError(error: unknown, view: ErrorView): RequestError {
  const message = error instanceof Error ? error.message : '';
  return message === 'Query read timeout' ? timeLimit(view, error) : unavailable(error);
}

function rowLimit({ maxRows }: ErrorView): RequestError {
  return new RequestError(
    'row-limit-exceeded',
    `a list in the result has more than ${maxRows} rows; ask for fewer with "limit"`,
  );
}

/** The error of an answer that is too large. */
export function sizeLimit({ maxBytes }: ErrorView): RequestError {
  return new RequestError(
    'size-limit-exceeded',
    `the answer would be larger than ${maxBytes} bytes, or the query has more fields than Postgres takes; ask for less`,
  );
}

/** An operation that takes too long. */
export function timeLimit({ statementTimeoutMs }: ErrorView, cause: unknown): RequestError {
  return new RequestError(
    'time-limit-exceeded',
    `the operation took longer than ${statementTimeoutMs} ms and was stopped`,
    '$',
    cause,
  );
}

function unavailable(cause: unknown): RequestError {
  return new RequestError(
    'unexpected',
    'the database cannot be reached or is too busy',
    '$',
    cause,
  );
}
