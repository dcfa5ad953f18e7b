import pg from 'pg';

/** An error for the client. */
export class RawError extends Error {
  readonly code: string;

  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

const messages: readonly (readonly [RegExp, string, string])[] = [
  [/^57014$/, 'time-limit-exceeded', 'the operation took too long'],
  [/^42501$/, 'permission-error', 'permission denied'],
  [/^23/, 'constraint-violation', 'a constraint is violated'],
  [/^22/, 'data-exception', 'a value does not suit its type'],
  [/^40/, 'conflict', 'the operation met another one at the same rows; try again'],
  [/^(08|53|57P)/, 'unavailable', 'the database is not available; try again'],
];

/** Turns any error into one for the client, which never quotes a value of a row. */
export function toRawError(error: unknown): RawError {
  if (error instanceof RawError) return error;
  const state = error instanceof pg.DatabaseError ? (error.code ?? '') : '';
  const found = messages.find(([pattern]) => pattern.test(state));
  if (found) return new RawError(found[1], found[2], error);
  return new RawError('unexpected', 'database query error', error);
}
