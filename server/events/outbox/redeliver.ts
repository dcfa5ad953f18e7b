import type pg from 'pg';
import { inTransaction } from '../../db/with-transaction.ts';
import { firedChannel } from '../channels.ts';
import { type Condition, conditionOf, type EndedState, type EventFilter } from './event-filter.ts';

/**
 * Resets an event that was delivered or is dead, so that it is delivered again under the same id. Returns undefined
 * when the event does not exist.
 */
export function redeliverEvent(
  client: pg.ClientBase,
  id: string,
): Promise<'redelivered' | 'not over' | undefined> {
  return inTransaction(client, async () => {
    const { rows } = await client.query<{ readonly over: boolean }>(
      `select delivered_at is not null or dead_at is not null as over
       from rowgate_events.event where id = $1 for update`,
      [id],
    );
    const [found] = rows;
    if (!found) return undefined;
    if (!found.over) return 'not over';
    await reset(client, { text: 'e.id = $1', values: [id] });
    return 'redelivered';
  });
}

/** A choice of events that were delivered or are dead. */
export type EndedFilter = EventFilter & { readonly state: EndedState };

/**
 * Resets all events of a filter, so that they are delivered again. Returns their number.
 * @param accept throws to leave the events as they are, for example because there are more than a person has agreed to
 */
export function redeliverEvents(
  client: pg.ClientBase,
  filter: EndedFilter,
  accept: (count: number) => void = () => {},
): Promise<number> {
  return inTransaction(client, async () => {
    const count = await reset(client, conditionOf(filter));
    accept(count);
    return count;
  });
}

/** Resets events so that the relay queues them again, and wakes the relay. The records of earlier attempts stay. */
async function reset(client: pg.ClientBase, { text, values }: Condition): Promise<number> {
  const { rowCount } = await client.query(
    `update rowgate_events.event e set relayed_at = null, delivered_at = null, dead_at = null,
       dead_reason = null, earlier_tries = e.tries
     where ${text}`,
    [...values],
  );
  await client.query('select pg_catalog.pg_notify($1, $2)', [firedChannel, '']);
  return rowCount ?? 0;
}
