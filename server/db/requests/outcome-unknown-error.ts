import pg from 'pg';

/** What a transaction fails with that may have been committed, or may not. */
export class OutcomeUnknownError extends Error {
  constructor(cause: unknown) {
    super('the connection was lost before Postgres said whether it has committed', { cause });
    this.name = 'OutcomeUnknownError';
  }
}

/** What a commit failed with, or something before it that was sent along with it, says whether anything was kept. */
export function isRolledBack(errors: {
  readonly before?: readonly unknown[];
  readonly commit: unknown;
}): boolean {
  const { before = [], commit } = errors;
  // The end of a session may be told in place of the answer to a commit that is done.
  return (
    before.some((error) => isOfPostgres(error) || isOfNoSession(error)) ||
    (isOfPostgres(commit) && !isFatal(commit))
  );
}

/** Whether the session ends with it, also where the server speaks another language than English. */
export function isFatal({ severity = '', code = '', routine }: pg.DatabaseError): boolean {
  // Functions of people's own choose their codes.
  const endsSession = routine !== 'exec_stmt_raise' && /^(57P|25P0[34])/.test(code);
  return endsSession || ['FATAL', 'PANIC'].includes(severity);
}

// Only Postgres names a routine. What a pooler says of a session that it has lost is no answer to a statement.
function isOfPostgres(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.routine !== undefined;
}

// What PgBouncer says to whoever waits for a session: that there is none in time, or what Postgres says to itself.
function isOfNoSession(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  const { code = '', message } = error;
  const isOfPooler = message === 'query_wait_timeout' || message.startsWith('server login ');
  return isOfPooler || /^(28|3D|53|57P03)/.test(code);
}
