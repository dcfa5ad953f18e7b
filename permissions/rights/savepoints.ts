import pg from 'pg';
import { isInterruption } from '../errors.ts';

/** Runs work between a savepoint and its rollback. */
export async function undone<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('savepoint rowgate_undone');
  try {
    return await work();
  } finally {
    await client.query('rollback to savepoint rowgate_undone; release savepoint rowgate_undone');
  }
}

/** Runs work that cannot write. */
export function readOnly<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  return undone(client, async () => {
    await client.query('set transaction read only');
    return work();
  });
}

/**
 * Runs work that keeps its effects. When it fails, its effects are undone and the error is returned.
 * @throws DatabaseError when another session or a time limit interrupts the work
 */
export async function attempt<T>(
  client: pg.ClientBase,
  work: () => Promise<T>,
): Promise<{ readonly answer: T } | { readonly error: pg.DatabaseError }> {
  await client.query('savepoint rowgate_attempt');
  try {
    const answer = await work();
    await client.query('release savepoint rowgate_attempt');
    return { answer };
  } catch (error) {
    await client.query('rollback to savepoint rowgate_attempt; release savepoint rowgate_attempt');
    if (!(error instanceof pg.DatabaseError) || isInterruption(error)) throw error;
    return { error };
  }
}
