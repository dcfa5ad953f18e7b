import type pg from 'pg';

/** A captured event. */
export interface CapturedEvent {
  readonly trigger: string;
  readonly table: string;
  readonly op: string;
  readonly old: Readonly<Record<string, unknown>> | null;
  readonly new: Readonly<Record<string, unknown>> | null;
  readonly session: Readonly<Record<string, string>> | null;
  readonly key: string | null;
}

/** Returns the events captured since the last call, in order, and removes them from the table. */
export async function takeEvents(owner: pg.ClientBase): Promise<readonly CapturedEvent[]> {
  const { rows } = await owner.query<CapturedEvent>(`
    with taken as (delete from rowgate_events.event returning *)
    select trigger, table_schema || '.' || table_name as table, op, data -> 'old' as old, data -> 'new' as new,
      session_variables as session, order_key as key
    from taken order by place`);
  return rows;
}

/** Runs SQL and returns the events that it adds to the table of events. */
export async function eventsOf(
  owner: pg.ClientBase,
  sql: string,
): Promise<readonly CapturedEvent[]> {
  await takeEvents(owner);
  await owner.query(sql);
  return takeEvents(owner);
}

/** Describes each event in a line: the operation, and the value of one column before and after. */
export function lines(events: readonly CapturedEvent[], column: string): readonly string[] {
  return events.map((one) => {
    const [before, after] = [one.old, one.new].map((row) => (row ? String(row[column]) : '-'));
    return `${one.op.toLowerCase()} ${before} ${after}`;
  });
}
