import { sqlState } from '../../permissions/index.ts';

/** Returns a hint for the log about a Postgres error whose cause is not obvious; undefined for most errors. */
export function operatorHint(error: unknown): string | undefined {
  return isLostStatementError(error) ? keepStatements : undefined;
}

/** Returns true when a prepared statement is missing, or exists unexpectedly. */
export function isLostStatementError(error: unknown): boolean {
  return ['26000', '42P05'].includes(sqlState(error) ?? '');
}

const keepStatements =
  'a pooler in transaction mode does not keep prepared statements; PgBouncer 1.21 and later keeps them when max_prepared_statements is above 0';
