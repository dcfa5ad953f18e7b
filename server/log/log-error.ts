import pg from 'pg';
import { errorMessage } from '../errors.ts';

/** In these SQLSTATE classes (connection, transaction, privilege, resource errors) messages contain names, never values. */
const VALUE_FREE_CLASSES = /^(08|25|40|42|53|54|55|57|58)/;

/** The only fields of errors that are logged. Libraries also attach connections, requests with headers, or bodies. */
const LOGGED_FIELDS = [
  ...['code', 'errno', 'syscall', 'address', 'port', 'hostname', 'host'],
  ...['status', 'statusCode', 'responseCode', 'command', 'reason'],
] as const;

/** The maximum length of a chain of causes. The limit also ends the loop when an error is its own cause. */
const maxDepth = 8;

/**
 * Converts an error for the log: its message, stack, causes, and a few fields that contain no secrets. For a Postgres
 * error, DETAIL, HINT and CONTEXT are omitted because they can quote a row. The message is also omitted when it can
 * quote a value or comes from a function in the database.
 */
export function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error;
  if (error instanceof pg.DatabaseError) return describeDatabaseError(error);
  const { name: type, message, stack, cause } = error;
  const isTooDeep = depth >= maxDepth;
  return {
    ...{ type, message, stack },
    ...loggedFieldsOf(error),
    ...(cause instanceof Error && !isTooDeep && { cause: describeError(cause, depth + 1) }),
    ...(error instanceof AggregateError &&
      !isTooDeep && {
        errors: error.errors
          .filter((one) => one instanceof Error)
          .map((one) => describeError(one, depth + 1)),
      }),
  };
}

function loggedFieldsOf(error: Error): Record<string, unknown> {
  const fields = new Map<string, unknown>(Object.entries(error));
  const shown = LOGGED_FIELDS.map((name) => [name, fields.get(name)] as const);
  return Object.fromEntries(
    shown.filter(([, value]) => typeof value === 'string' || typeof value === 'number'),
  );
}

function describeDatabaseError(error: pg.DatabaseError) {
  const { severity, code, message, schema, table, constraint, position, file, line, routine } =
    error;
  return {
    type: 'DatabaseError',
    ...(isValueFree(error) && { message }),
    ...{ severity, code, schema, table, constraint, position, file, line, routine },
  };
}

/** Returns true when the message of a Postgres error cannot quote a value. */
function isValueFree({ code, routine }: pg.DatabaseError): boolean {
  return VALUE_FREE_CLASSES.test(code ?? '') && routine !== 'exec_stmt_raise';
}

/**
 * Returns the message of an error for the field `reason` of a log line. For a Postgres error whose message could quote a
 * row, it returns a text with the code instead.
 */
export function loggedReason(error: unknown): string {
  if (!(error instanceof pg.DatabaseError) || isValueFree(error)) return errorMessage(error);
  return `an error of Postgres (${error.code})`;
}
