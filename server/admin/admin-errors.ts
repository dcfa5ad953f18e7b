import type pino from 'pino';
import {
  CommandError,
  MetadataError,
  PlanChangedError,
  sqlState,
} from '../../permissions/index.ts';
import { CallerError } from '../caller/authenticate.ts';
import { BusyError } from '../db/requests/fairness/busy-error.ts';
import { ProcessError } from '../errors.ts';
import { RequestError } from '../graphql/request-error.ts';
import { Refusal } from '../http/answers/problem.ts';

/** Converts a failure of a use into a refusal. Logs the cause if it is not a mistake of the caller. */
export function refusalOf(error: unknown, logger: pino.Logger): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof CallerError) return mistake([error.message]);
  if (isChanged(error)) return changedMeanwhile(error);
  if (error instanceof CommandError) return mistake([error.message, error.hint]);
  if (error instanceof RequestError) return mistake([error.message]);
  if (error instanceof BusyError) return later('busy', error.message);
  if (error instanceof ProcessError && error.code === 'RG_CONFIG') return withoutOwner();
  const known = refusalByState(error);
  if (known) return known;
  logger.error({ err: error }, 'a use of an endpoint for admins failed');
  if (sqlState(error) === '42501')
    return later('owner-rights', 'the login of DATABASE_URL lacks a right; the log has the reason');
  if (error instanceof MetadataError || error instanceof ProcessError)
    return later(
      'unavailable',
      'the database cannot be used at the moment; the log has the reason',
    );
  const detail = 'unexpected error; the log has the reason';
  return new Refusal({ status: 500, code: 'unexpected', detail });
}

/** Makes the error of a use whose client has disconnected. Only the log shows its status. */
export function clientDisconnected(): Refusal {
  return later('unavailable', 'the client disconnected');
}

/** Makes the refusal of a request with a session that was ended. */
export function signedOut(): Refusal {
  const detail = 'the session has ended; sign in again';
  return new Refusal({ status: 401, code: 'unauthenticated', detail });
}

/** Makes the refusal of a session of which the database does not say whether it was ended. */
export function unknownSession(error: unknown, logger: pino.Logger): Refusal {
  logger.error({ err: error }, 'cannot check a session of the console');
  return later(
    'unavailable',
    'the session cannot be checked, so it is refused; the log has the reason, and rowgate migrate makes a missing table',
  );
}

/** Makes the refusal of a check for drift that could not compare. */
export function uncomparable(): Refusal {
  return later('unavailable', 'the database cannot be compared now; the log has the reason');
}

/** Makes the refusal of a reading that takes too long. */
export function slowReading(): Refusal {
  return later(
    'timeout',
    'the reading took longer than 5 seconds and was stopped; ask for a shorter page, or try again when the database is less busy',
  );
}

/** Makes the refusal of a use that would change something that lasts, on a server that does not allow it. */
export function readOnly(): Refusal {
  return new Refusal({
    status: 403,
    code: 'read-only',
    detail:
      'this server allows no lasting changes by the console; set ROWGATE_CONSOLE_WRITES=true for it, or use the command line of rowgate',
  });
}

/** Makes the refusal of a use that cannot be recorded. */
export function notRecorded(error: unknown, logger: pino.Logger): Refusal {
  logger.error({ err: error }, 'cannot record a use of an endpoint for admins');
  return later(
    'not-recorded',
    'the use cannot be recorded, so it is refused; the log has the reason, and rowgate migrate makes a missing table',
  );
}

/** Returns whether the subject of a use is another than the caller has seen. */
function isChanged(error: unknown): error is CommandError | PlanChangedError {
  if (error instanceof PlanChangedError) return true;
  return error instanceof CommandError && error.code === 'RG_FILE_CHANGED';
}

function changedMeanwhile(error: CommandError | PlanChangedError): Refusal {
  const hint = error instanceof CommandError ? error.hint : undefined;
  const { message } = error;
  const detail = hint === undefined ? message : `${message}; ${hint}`;
  return new Refusal({ status: 409, code: 'changed', detail });
}

function mistake(parts: readonly (string | undefined)[]): Refusal {
  const detail = parts.filter((part) => part !== undefined).join('; ');
  return new Refusal({ status: 400, code: 'bad-request', detail });
}

function later(code: string, detail: string): Refusal {
  return new Refusal({ status: 503, code, detail, headers: { 'Retry-After': '1' } });
}

function withoutOwner(): Refusal {
  return new Refusal({
    status: 501,
    code: 'owner-missing',
    detail:
      'this server has no login that applies rules; set DATABASE_URL for it, or use the command line of rowgate',
  });
}

/** Returns the refusal for an error of Postgres that the caller can do something about. */
function refusalByState(error: unknown): Refusal | undefined {
  switch (sqlState(error)) {
    case '57014':
      return later(
        'timeout',
        'a statement took longer than ROWGATE_STATEMENT_TIMEOUT_MS and was stopped; ask for fewer fields, or use the command line of rowgate',
      );
    case '55P03':
    case '40P01':
      return later('locked', 'another session keeps a lock on the table or its rights; try again');
    default:
      return error instanceof DOMException && error.name === 'TimeoutError'
        ? later('timeout', 'the request took longer than 30 seconds and was stopped; ask for less')
        : undefined;
  }
}
