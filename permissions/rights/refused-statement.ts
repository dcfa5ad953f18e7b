import type pg from 'pg';

type Failure = Pick<pg.DatabaseError, 'code' | 'routine'>;

/** Whether a `raise` of PL/pgSQL made an error. The name of the routine does not depend on the language of messages. */
export function isRaised({ routine }: Failure): boolean {
  return routine === 'exec_stmt_raise';
}

/** Whether a new row did not pass the check of a policy or view. */
export function isCheckViolation({ code, routine }: Failure): boolean {
  return routine === 'ExecWithCheckOptions' && (code === '42501' || code === '44000');
}

/** Whether Postgres could not evaluate a value, such as a session variable that does not fit its column. */
export function isBadValue(error: Failure): boolean {
  return error.code?.startsWith('22') === true && !isRaised(error);
}
