import type pg from 'pg';

/** An event as it was captured. */
export interface CapturedEvent {
  readonly trigger: string;
  readonly table: string;
  readonly op: string;
  readonly old: Readonly<Record<string, unknown>> | null;
  readonly new: Readonly<Record<string, unknown>> | null;
  readonly session: Readonly<Record<string, string>> | null;
  readonly key: string | null;
}

/** Takes the events that were captured since the last call, in their order. */
export async function takeEvents(owner: pg.ClientBase): Promise<readonly CapturedEvent[]> {
  const { rows } = await owner.query<CapturedEvent>(`
    with told as (delete from rowgate_events.event returning *)
    select trigger, table_schema || '.' || table_name as table, op, data -> 'old' as old, data -> 'new' as new,
      session_variables as session, order_key as key
    from told order by place`);
  return rows;
}

/** Does something to the rows, and tells what was captured of it. */
export async function eventsOf(
  owner: pg.ClientBase,
  sql: string,
): Promise<readonly CapturedEvent[]> {
  await takeEvents(owner);
  await owner.query(sql);
  return takeEvents(owner);
}

/** What each event says in a line: operation, and a column before and after. */
export function lines(told: readonly CapturedEvent[], column: string): readonly string[] {
  return told.map((one) => {
    const [before, after] = [one.old, one.new].map((row) => (row ? String(row[column]) : '-'));
    return `${one.op.toLowerCase()} ${before} ${after}`;
  });
}
