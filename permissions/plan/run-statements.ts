import type pg from 'pg';
import type { SqlText } from '../text/sql-text.ts';

export async function runStatements(
  client: pg.ClientBase,
  statements: readonly SqlText[],
): Promise<void> {
  for (const { text } of statements) await client.query(text);
}
