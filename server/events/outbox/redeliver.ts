import type pg from 'pg';
import { firedChannel } from '../channels.ts';

/**
 * Resets an event that was delivered or is dead, so that it is delivered again under the same id. Returns undefined
 * when the event does not exist.
 */
export async function redeliverEvent(
  client: pg.ClientBase,
  id: string,
): Promise<'redelivered' | 'not over' | undefined> {
  await client.query('begin');
  const { rows } = await client.query<{ readonly over: boolean }>(
    `select delivered_at is not null or dead_at is not null as over
     from rowgate_events.event where id = $1 for update`,
    [id],
  );
  const [found] = rows;
  if (found?.over) await reset(client, 'e.id = $1', [id]);
  await client.query('commit');
  if (!found) return undefined;
  return found.over ? 'redelivered' : 'not over';
}

/** Resets all dead events, or those of one trigger, so that they are delivered again. Returns their number. */
export async function redeliverDead(
  client: pg.ClientBase,
  trigger: string | undefined,
): Promise<number> {
  await client.query('begin');
  const condition = 'e.dead_at is not null and ($1::text is null or e.trigger = $1)';
  const count = await reset(client, condition, [trigger ?? null]);
  await client.query('commit');
  return count;
}

/** Resets events so that the relay queues them again, and wakes the relay. The records of earlier attempts stay. */
async function reset(
  client: pg.ClientBase,
  condition: string,
  values: readonly unknown[],
): Promise<number> {
  const { rowCount } = await client.query(
    `update rowgate_events.event e set relayed_at = null, delivered_at = null, dead_at = null,
       dead_reason = null, earlier_tries = e.tries
     where ${condition}`,
    [...values],
  );
  await client.query('select pg_catalog.pg_notify($1, $2)', [firedChannel, '']);
  return rowCount ?? 0;
}
