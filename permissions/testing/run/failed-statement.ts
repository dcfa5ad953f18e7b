import type pg from 'pg';
import { sqlState } from '../../errors.ts';
import { join, literal, type SqlText, sql } from '../../text/sql-text.ts';
import type { Principal } from '../suites/suite.ts';
import { ask, type Session } from './session.ts';

/** A statement of a test failed for a reason that neither a rule nor the table gives, so the test shows nothing. */
export class FailedStatement extends Error {
  constructor(cause: pg.DatabaseError) {
    super(`Postgres cannot run the statement: ${cause.message}`, { cause });
  }
}

/** The rights that a statement of a principal needs. */
export interface UsedRights {
  readonly relation: SqlText;
  readonly operation: 'select' | 'insert' | 'update' | 'delete';
  /** The columns that the statement names; none: any column, or the whole table for a delete. */
  readonly columns: readonly string[];
}

/**
 * Returns whether Postgres refused a statement because the role has no right to the relation or its columns. Other
 * errors with the same code come from triggers and functions. The session leaves the role.
 */
export async function isDenied(
  error: unknown,
  { relation, operation, columns }: UsedRights,
  { role }: Principal,
  session: Session,
): Promise<boolean> {
  if (sqlState(error) !== '42501') return false;
  await session.rules.client.query('reset role');
  const subject = sql`${literal(role.postgresName)}, ${literal(relation.text)}`;
  const right = literal(operation);
  const all = columns.map(
    (column) => sql`pg_catalog.has_column_privilege(${subject}, ${literal(column)}, ${right})`,
  );
  const any =
    operation === 'delete'
      ? sql`pg_catalog.has_table_privilege(${subject}, ${right})`
      : sql`pg_catalog.has_any_column_privilege(${subject}, ${right})`;
  const { rows } = await ask(session, sql`select ${join([any, ...all], ' and ')}`);
  return rows[0]?.[0] !== 't';
}
