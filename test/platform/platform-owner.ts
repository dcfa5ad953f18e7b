import type pg from 'pg';
import { createDatabase } from '../support/database.ts';

/** A connection to the platform's database as its owner. All changes of a test are rolled back. */
export interface PlatformOwner {
  /** Returns rows as arrays of values. */
  rows(text: string, values?: readonly unknown[]): Promise<unknown[][]>;
  /** Returns the rows of the last statement, or the SQLSTATE of the first that Postgres refuses. */
  attempt(...statements: readonly string[]): Promise<unknown[][] | string>;
  close(): Promise<void>;
}

/** Opens a copy of the platform's database for one test file. */
export async function openPlatform(): Promise<PlatformOwner> {
  const database = await createDatabase({ from: 'platform' });
  const owner: pg.Client = await database.connectOwner();
  const rows: PlatformOwner['rows'] = async (text, values = []) => {
    const result = await owner.query<unknown[]>({ text, values: [...values], rowMode: 'array' });
    return result.rows;
  };
  const last = async (statements: readonly string[]) => {
    let found: unknown[][] = [];
    for (const statement of statements) found = await rows(statement);
    return found;
  };
  const attempt: PlatformOwner['attempt'] = async (...statements) => {
    await owner.query('begin');
    return last(statements)
      .catch((error: { code: string }) => error.code)
      .finally(() => owner.query('rollback'));
  };
  return { rows, attempt, close: () => database.drop() };
}
