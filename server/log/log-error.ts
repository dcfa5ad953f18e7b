import pg from 'pg';
import { errorMessage } from '../errors.ts';

/** What Postgres says in these classes names things, never values: of connections, transactions, rights, resources. */
const SPEAKS_OF_NAMES = /^(08|25|40|42|53|54|55|57|58)/;

/** What libraries add to errors is shown by name: some add connections, requests with their headers, or bodies. */
const SHOWN = [
  ...['code', 'errno', 'syscall', 'address', 'port', 'hostname', 'host'],
  ...['status', 'statusCode', 'responseCode', 'command', 'reason'],
] as const;

/** Causes of causes; also where an error is its own cause. */
const maxDepth = 8;

/**
 * An error as it is logged: its message, its stack, its causes, and a few fields that hold no secrets. Of Postgres's
 * errors only what quotes no row: DETAIL, HINT and CONTEXT are left out, and the message where it could be of a value
 * or was written by a function in the database.
 */
export function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error;
  if (error instanceof pg.DatabaseError) return describeDatabaseError(error);
  const { name: type, message, stack, cause } = error;
  const isDeep = depth >= maxDepth;
  return {
    ...{ type, message, stack },
    ...shownFieldsOf(error),
    ...(cause instanceof Error && !isDeep && { cause: describeError(cause, depth + 1) }),
    ...(error instanceof AggregateError &&
      !isDeep && {
        errors: error.errors
          .filter((one) => one instanceof Error)
          .map((one) => describeError(one, depth + 1)),
      }),
  };
}

function shownFieldsOf(error: Error): Record<string, unknown> {
  const fields = new Map<string, unknown>(Object.entries(error));
  const shown = SHOWN.map((name) => [name, fields.get(name)] as const);
  return Object.fromEntries(
    shown.filter(([, value]) => typeof value === 'string' || typeof value === 'number'),
  );
}

function describeDatabaseError(error: pg.DatabaseError) {
  const { severity, code, message, schema, table, constraint, position, file, line, routine } =
    error;
  return {
    type: 'DatabaseError',
    ...(isPlain(error) && { message }),
    ...{ severity, code, schema, table, constraint, position, file, line, routine },
  };
}

/** Whether the message of an error of Postgres can quote no value. */
function isPlain({ code, routine }: pg.DatabaseError): boolean {
  return SPEAKS_OF_NAMES.test(code ?? '') && routine !== 'exec_stmt_raise';
}

/** The message of an error, as the one field of a log line that says why; of Postgres's its code where it could quote a row. */
export function loggedReason(error: unknown): string {
  if (!(error instanceof pg.DatabaseError) || isPlain(error)) return errorMessage(error);
  return `an error of Postgres (${error.code})`;
}
