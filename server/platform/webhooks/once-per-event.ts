import type pg from 'pg';
import { withTransaction } from '../../db/with-transaction.ts';

/** The result of an event: the result of its effect, or `duplicate` when the event had its effect earlier. */
export type OnceResult<T> =
  | { readonly duplicate: false; readonly result: T }
  | { readonly duplicate: true };

/**
 * Runs the effect of an event once. The record of the event and the effect commit in one transaction.
 * @throws errors of the effect, after the transaction is rolled back
 */
export async function runOnce<T>(
  pool: pg.Pool,
  event: { readonly id: string; readonly effect: string },
  effect: (client: pg.PoolClient) => Promise<T>,
): Promise<OnceResult<T>> {
  return withTransaction(pool, async (client) => {
    const { rows } = await client.query<{ readonly begun: boolean }>(
      'select rowgate_webhooks.begin_effect($1, $2) as begun',
      [event.id, event.effect],
    );
    if (!rows[0]?.begun) return { duplicate: true };
    return { duplicate: false, result: await effect(client) };
  });
}
