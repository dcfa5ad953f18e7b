import pg from 'pg';
import { namesApiObject } from '../../../permissions/index.ts';
import { CallerError } from '../../caller/authenticate.ts';
import { BusyError } from '../../db/requests/fairness/busy-error.ts';
import { isFatal, OutcomeUnknownError } from '../../db/requests/outcome-unknown-error.ts';
import { SIZE_LIMIT_MARK, sizeLimit } from '../limits/answer-bytes.ts';
import { ROW_LIMIT_MARK, rowLimit } from '../limits/rows.ts';
import { timeLimit } from '../limits/time.ts';
import { RequestError, unavailable } from '../request-error.ts';
import type { RoleView } from '../schema/view/role-view.ts';
import { type FailedStep, toWriteError } from './write-error.ts';

/** Decides how much a client learns about an error. */
export interface ErrorView {
  /**
   * The role of the caller. Only admin gets messages of Postgres, because these messages can quote hidden values. All
   * other roles get a fixed message for the SQLSTATE.
   */
  readonly role: RoleView;
  readonly statementTimeoutMs: number;
  readonly maxRows: number;
  readonly maxBytes: number;
  /**
   * Whether database functions process values that the role may not read. The client then gets one message for all data
   * exceptions, because a more detailed message could reveal such a value.
   */
  readonly callsOwner: boolean;
}

/** Messages for errors that values of the client cause. The text of Postgres could quote values of hidden rows. */
const DATA_EXCEPTIONS: Readonly<Record<string, string>> = {
  '22001': 'a text is longer than its column allows',
  '22003': 'a number is out of the range of its type',
  '22007': 'a date or time is not written as its type requires',
  '22008': 'a date or time is out of the range of its type',
  '22012': 'division by zero',
  '22025': 'a pattern ends with its escape character',
  '2201B': 'a regular expression is not valid',
  '22P02': 'a value is not written as its type requires',
  '54000': 'a value is larger, or has more dimensions, than its type can have',
};

/**
 * The message for all data exceptions of an operation in which a database function processes values that the role may
 * not read. The kind of error could reveal such a value, and Postgres does not report reliably whether the function or
 * a value of the client has caused the error.
 */
const OWNER_DATA_EXCEPTION =
  'a value does not suit its type, or a function of the database fails on its values';

/** A type without equality, such as json, in `distinct_on` or a distinct count. */
const UNSUPPORTED = 'the type of a column does not support the requested operation';

const TOO_DEEP = 'the operation, or a function that it calls, is nested deeper than Postgres takes';

const READ_ONLY = 'a query changes nothing, and this one calls a function that would';

const REFUSED = 'a function or trigger of the database refuses this';

const OUTAGE = 'the database cannot be reached or is too busy; nothing was done, try again';

const TAKES_NOTHING = 'the database takes no changes at the moment; nothing was done, try again';

const OUTCOME_UNKNOWN =
  'the connection to the database was lost before it reported whether the changes were made: either all of them were, or none; check before you try again';

const CONFLICT = 'the operation met another one at the same rows; try again';

/** Serialization failures (also on replicas), deadlocks, and locks that a statement did not wait for. */
const CONFLICTS: ReadonlySet<string> = new Set(['40001', '40P01', '55P03']);

const OTHER_RULES = 'the rules have just changed, or are not applied yet; try again';

/** Turns the error of a statement into the error for the client, with the cause for the log. */
export function toRequestError(
  error: unknown,
  view: ErrorView,
  step?: FailedStep,
): RequestError | CallerError {
  if (error instanceof RequestError || error instanceof CallerError) return error;
  if (error instanceof BusyError) return unavailable(error.message);
  if (error instanceof OutcomeUnknownError) return outcomeUnknown(error.cause);
  if (!(error instanceof pg.DatabaseError)) return connectionError(error, view);
  if (isOutage(error)) return unavailable(OUTAGE, error);
  const code = error.code ?? '';
  const path = step?.path ?? '$';
  if (isConflict(error, step !== undefined))
    return new RequestError('conflict', CONFLICT, '$', error);
  const writeError = step && toWriteError(error, view.role, step);
  if (writeError) return writeError;
  if (isRefusal(error)) {
    const message = view.role.isAdmin ? error.message : REFUSED;
    return new RequestError('data-exception', message, path, error);
  }
  if (isMark(error, ROW_LIMIT_MARK)) return rowLimit(view);
  if (isMark(error, SIZE_LIMIT_MARK) || isTooLarge(error)) return sizeLimit(view);
  if (isFromOtherRules(error)) return new RequestError('conflict', OTHER_RULES, '$', error);
  if (code === '54001') return new RequestError('depth-limit-exceeded', TOO_DEEP, path, error);
  if (code === '57014') return timeLimit(view, error);
  if (code === '25006') {
    // 25006: the transaction is read-only. For a mutation, that means that the server is a replica or a primary set to
    // read-only.
    return step
      ? unavailable(TAKES_NOTHING, error)
      : new RequestError('not-supported', READ_ONLY, path, error);
  }
  // In a query, SQLSTATE class 23 comes from the constraint of a domain to which a value is cast.
  if (/^2[23]/.test(code) || code === '54000' || isSyntaxOfValue(error)) {
    if (view.callsOwner && !view.role.isAdmin)
      return new RequestError('data-exception', OWNER_DATA_EXCEPTION, path, error);
    const message = view.role.isAdmin ? error.message : DATA_EXCEPTIONS[code];
    const kind = code === '22025' ? 'bad-request' : 'data-exception';
    return new RequestError(kind, message ?? 'a value does not suit its type', path, error);
  }
  if (code === '42501') {
    const message = view.role.isAdmin ? error.message : 'permission denied';
    return new RequestError('permission-error', message, path, error);
  }
  if (code === '42883') return new RequestError('data-exception', UNSUPPORTED, path, error);
  return new RequestError('unexpected', 'database query error', '$', error);
}

// The session has ended or has not begun, so nothing was committed.
function isOutage(error: pg.DatabaseError): boolean {
  if (error.routine === 'exec_stmt_raise') return false;
  // 53400 is excluded: a query that exceeds a limit on temporary files would exceed the limit again.
  return isFatal(error) || /^(08|53[0-3]|57P|58)/.test(error.code ?? '');
}

// A user-defined function may raise these codes to make the client try a mutation again.
function isConflict({ code = '', routine }: pg.DatabaseError, writes: boolean): boolean {
  if (routine !== 'exec_stmt_raise') return CONFLICTS.has(code);
  return writes && ['40001', '40P01'].includes(code);
}

// Returns true for an error that a user-defined function has raised to refuse the operation. The code of such an error
// does not describe the server or its limits. Only 42501 always means a missing privilege. toWriteError has already
// handled the codes of failed rules and constraints.
function isRefusal({ code, routine }: pg.DatabaseError): boolean {
  return code === 'P0001' || (routine === 'exec_stmt_raise' && code !== '42501');
}

// Rowgate's statements raise errors by casting a mark to a number. User-defined functions may raise any text, so the
// function checks more than the text.
function isMark({ code, message, where = '' }: pg.DatabaseError, mark: string): boolean {
  return code === '22P02' && message.includes(mark) && !where.includes('PL/pgSQL');
}

// Recognises errors that arise because the database has other rules than this process. A later try succeeds after this
// process has reloaded. Rowgate's own objects have names that depend on the rules, and other rules grant other
// privileges.
function isFromOtherRules({ code = '', message }: pg.DatabaseError): boolean {
  return ['42501', '42883', '42P01'].includes(code) && namesApiObject(message);
}

// Limits of Postgres: columns of a statement, arguments of a call, bytes of a text.
function isTooLarge({ code = '', routine }: pg.DatabaseError): boolean {
  return ['54011', '54023'].includes(code) || (code === '54000' && routine === 'enlargeStringInfo');
}

// Some types (regclass, regtype …) report an invalid value as a syntax error or as an unknown name. An error in the
// statement, or in a statement inside a function, would have a position.
function isSyntaxOfValue({ code = '', position, internalQuery }: pg.DatabaseError): boolean {
  return VALUE_CODES.has(code) && position === undefined && internalQuery === undefined;
}

const VALUE_CODES: ReadonlySet<string> = new Set(['42601', '42602', '42704', '42P01', '3F000']);

function connectionError(error: unknown, view: ErrorView): RequestError {
  // pg and sockets never report an outage by a TypeError or RangeError, so these are defects of the program.
  if (error instanceof TypeError || error instanceof RangeError) return internalError(error);
  const message = error instanceof Error ? error.message : '';
  return message === 'Query read timeout' ? timeLimit(view, error) : unavailable(OUTAGE, error);
}

function internalError(cause: unknown): RequestError {
  return new RequestError('unexpected', 'internal error', '$', cause);
}

function outcomeUnknown(cause: unknown): RequestError {
  return new RequestError('outcome-unknown', OUTCOME_UNKNOWN, '$', cause);
}
