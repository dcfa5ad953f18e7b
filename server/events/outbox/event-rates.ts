import type pg from 'pg';

/** The events of a time range, by steps of equal length. */
export interface EventRates {
  /** Numbers of events by step: recorded, accepted by their receivers, and given up. */
  readonly recorded: readonly number[];
  readonly delivered: readonly number[];
  readonly dead: readonly number[];
  /** The age of the oldest event that waited at the end of each step, in seconds. It is exact to one step. */
  readonly oldestSeconds: readonly number[];
}

export interface RatesQuestion {
  readonly trigger: string | undefined;
  /** The beginning, in milliseconds since 1970. */
  readonly since: number;
  readonly stepSeconds: number;
  readonly steps: number;
}

interface Group {
  /** The step of the change. */
  readonly from: number;
  /** The step of the end of the delivery; null while the event waits. */
  readonly to: number | null;
  readonly dead: boolean;
  readonly count: number;
}

/** Reads the rates of the events that were recorded in a time range. One pass over these events answers everything. */
export async function readEventRates(
  client: pg.ClientBase,
  question: RatesQuestion,
): Promise<EventRates> {
  const { trigger, since, stepSeconds, steps } = question;
  const begin = new Date(since).toISOString();
  const end = new Date(since + steps * stepSeconds * 1000).toISOString();
  const { rows } = await client.query<Group>(
    `select floor(extract(epoch from e.created_at - $2::timestamptz) / $4)::integer as "from",
       floor(extract(epoch from coalesce(e.delivered_at, e.dead_at) - $2::timestamptz) / $4)::integer as "to",
       e.dead_at is not null as dead, count(*)::integer as count
     from rowgate_events.event e
     where e.created_at >= $2 and e.created_at < $3 and ($1::text is null or e.trigger = $1)
     group by 1, 2, 3`,
    [trigger ?? null, begin, end, stepSeconds],
  );
  const earlier = await client.query<{ readonly seconds: number | null }>(
    `select extract(epoch from $2::timestamptz - min(e.created_at))::float8 as seconds
     from rowgate_events.event e
     where e.delivered_at is null and e.dead_at is null and e.created_at < $2 and ($1::text is null or e.trigger = $1)`,
    [trigger ?? null, begin],
  );
  return ratesOf(rows, question, earlier.rows[0]?.seconds ?? undefined);
}

/** @param earlierSeconds the age of the oldest waiting event from before the time range, at its beginning */
function ratesOf(
  groups: readonly Group[],
  { steps, stepSeconds }: RatesQuestion,
  earlierSeconds: number | undefined,
): EventRates {
  const all = Array.from({ length: steps }, (_step, index) => index);
  const sum = (those: (group: Group, step: number) => boolean) =>
    all.map((step) =>
      groups.reduce((total, group) => total + (those(group, step) ? group.count : 0), 0),
    );
  const ageAt = (step: number) => {
    if (earlierSeconds !== undefined) return earlierSeconds + (step + 1) * stepSeconds;
    const waiting = groups.filter(({ from, to }) => from <= step && (to === null || to > step));
    return waiting.length === 0
      ? 0
      : (step + 1 - Math.min(...waiting.map(({ from }) => from))) * stepSeconds;
  };
  return {
    recorded: sum(({ from }, step) => from === step),
    delivered: sum(({ to, dead }, step) => to === step && !dead),
    dead: sum(({ to, dead }, step) => to === step && dead),
    oldestSeconds: all.map(ageAt),
  };
}
