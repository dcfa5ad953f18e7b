import type pg from 'pg';
import { withTransaction } from '../../db/with-transaction.ts';

/** What became of an event: its effect, or nothing because it had that before. */
export type Done<T> =
  | { readonly duplicate: false; readonly result: T }
  | { readonly duplicate: true };

/**
 * Does the effect of an event once, in one transaction with what the effect does.
 * @throws what the effect throws, and nothing is done then
 */
export async function once<T>(
  pool: pg.Pool,
  event: { readonly id: string; readonly effect: string },
  effect: (client: pg.PoolClient) => Promise<T>,
): Promise<Done<T>> {
  return withTransaction(pool, async (client) => {
    const { rows } = await client.query<{ readonly begun: boolean }>(
      'select rowgate_webhooks.begin_effect($1, $2) as begun',
      [event.id, event.effect],
    );
    if (!rows[0]?.begun) return { duplicate: true };
    return { duplicate: false, result: await effect(client) };
  });
}
