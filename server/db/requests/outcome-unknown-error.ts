import pg from 'pg';

/** A transaction failed, and it is unknown whether Postgres committed it. */
export class OutcomeUnknownError extends Error {
  constructor(cause: unknown) {
    super('the connection was lost before Postgres reported whether it committed', { cause });
    this.name = 'OutcomeUnknownError';
  }
}

/** One of several statements failed, so Postgres has run no later one and has rolled the transaction back. */
export class StatementError extends Error {
  /** The index of the statement. */
  readonly index: number;

  constructor(index: number, cause: unknown) {
    super('a statement of a transaction failed', { cause });
    this.name = 'StatementError';
    this.index = index;
  }
}

/** Decides from the errors of a commit, and of statements sent with it, whether the transaction was rolled back. */
export function isRolledBack(errors: {
  readonly before?: readonly unknown[];
  readonly commit: unknown;
}): boolean {
  const { before = [], commit } = errors;
  // A fatal error may arrive instead of the answer to a successful commit.
  return (
    before.some((error) => isFromPostgres(error) || isWithoutSession(error)) ||
    (isFromPostgres(commit) && !isFatal(commit))
  );
}

/** Returns true when the error ends the session, even when the server translates the severity. */
export function isFatal({ severity = '', code = '', routine }: pg.DatabaseError): boolean {
  // Ignores errors that RAISE of PL/pgSQL has raised, because user-defined functions can raise any code.
  const endsSession = routine !== 'exec_stmt_raise' && /^(57P|25P0[34])/.test(code);
  return endsSession || ['FATAL', 'PANIC'].includes(severity);
}

// Only errors from Postgres name a routine of its source code. An error from a pooler names no routine: it reports a
// lost session, not the result of a statement.
function isFromPostgres(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.routine !== undefined;
}

// PgBouncer reports that no session was free in time, or passes on the error of its own login at Postgres.
function isWithoutSession(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  const { code = '', message } = error;
  const isOfPooler = message === 'query_wait_timeout' || message.startsWith('server login ');
  return isOfPooler || /^(28|3D|53|57P03)/.test(code);
}
