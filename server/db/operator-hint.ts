import { sqlState } from '../../permissions/index.ts';

/** What to do about an error of Postgres that does not say where it comes from, for the log; mostly undefined. */
export function operatorHint(error: unknown): string | undefined {
  return isOfLostStatement(error) ? keepStatements : undefined;
}

/** A statement that was prepared is not there, or one is that was not. */
export function isOfLostStatement(error: unknown): boolean {
  return ['26000', '42P05'].includes(sqlState(error) ?? '');
}

const keepStatements =
  'a pooler between here and Postgres lends connections by transaction and keeps no prepared statements; PgBouncer does from 1.21 on where max_prepared_statements is above 0';
