import { RequestError } from '../request-error.ts';

/** The error of an operation that takes too long. Postgres stops it by the setting `statement_timeout`. */
export function timeLimit(
  { statementTimeoutMs }: { readonly statementTimeoutMs: number },
  cause: unknown,
): RequestError {
  return new RequestError(
    'time-limit-exceeded',
    `the operation took longer than ${statementTimeoutMs} ms and was stopped`,
    '$',
    cause,
  );
}
