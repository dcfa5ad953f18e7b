import pg from 'pg';
import pino from 'pino';

/** What Postgres says in these classes names things, never values: of connections, transactions, rights, resources. */
const SPEAKS_OF_NAMES = /^(08|25|40|42|53|54|55|57|58)/;

/**
 * An error as it is logged. Of Postgres's errors only what quotes no row: DETAIL, HINT and CONTEXT are left out, and
 * the message where it could be of a value or was written by a function in the database.
 */
export function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (error instanceof pg.DatabaseError) return describeDatabaseError(error);
  if (!comesFromDatabase(error)) return pino.stdSerializers.err(error);
  const { name: type, message, stack, cause } = error;
  return { type, message, stack, cause: describeError(cause) };
}

function comesFromDatabase({ cause }: Error): boolean {
  if (cause instanceof pg.DatabaseError) return true;
  return cause instanceof Error && comesFromDatabase(cause);
}

function describeDatabaseError(error: pg.DatabaseError) {
  const { severity, code, message, schema, table, constraint, position, file, line, routine } =
    error;
  const isPlain = SPEAKS_OF_NAMES.test(code ?? '') && routine !== 'exec_stmt_raise';
  return {
    type: 'DatabaseError',
    ...(isPlain && { message }),
    ...{ severity, code, schema, table, constraint, position, file, line, routine },
  };
}
