/** The states of an event. A `failed` event is retried, and a `dead` event is not. */
export const eventStates = ['pending', 'delivered', 'failed', 'dead'] as const;

export type EventState = (typeof eventStates)[number];

/** The states in which an event can be delivered again. Events in other states are delivered anyway. */
export const endedStates = ['dead', 'delivered'] as const satisfies readonly EventState[];

export type EndedState = (typeof endedStates)[number];

/** The SQL condition of each state. An index exists for each condition that few events satisfy. */
export const stateConditions: Readonly<Record<EventState, string>> = {
  pending: 'e.delivered_at is null and e.dead_at is null and e.tries = e.earlier_tries',
  failed: 'e.delivered_at is null and e.dead_at is null and e.tries > e.earlier_tries',
  delivered: 'e.delivered_at is not null',
  dead: 'e.dead_at is not null',
};

/** The events that satisfy all given conditions. */
export interface EventFilter {
  readonly trigger?: string | undefined;
  readonly state?: EventState | undefined;
  /** Only events from this time on, by the time of the change. ISO 8601. */
  readonly since?: string | undefined;
  /** Only events before this time. */
  readonly until?: string | undefined;
  /** The HTTP status of the last answer; `none`: the last try had no answer. */
  readonly status?: string | undefined;
}

/** A condition on `rowgate_events.event e`, and the values of its placeholders. */
export interface Condition {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Returns the condition of a filter. Its placeholders begin at $1. */
export function conditionOf({ trigger, state, since, until, status }: EventFilter): Condition {
  const values: unknown[] = [];
  const parts: string[] = [];
  const add = (value: unknown, part: (place: string) => string) => {
    values.push(value);
    parts.push(part(`$${values.length}`));
  };
  if (trigger !== undefined) add(trigger, (place) => `e.trigger = ${place}`);
  if (state !== undefined) parts.push(stateConditions[state]);
  if (since !== undefined) add(since, (place) => `e.created_at >= ${place}::timestamptz`);
  if (until !== undefined) add(until, (place) => `e.created_at < ${place}::timestamptz`);
  if (status === 'none') parts.push(lastTry('a.status is null'));
  else if (status !== undefined) {
    add(status, (place) => lastTry(`a.status = ${place}::integer`));
  }
  return { text: parts.length > 0 ? parts.join(' and ') : 'true', values };
}

/** Attempts are numbered, so the number of the last one is the number of all tries. */
function lastTry(condition: string): string {
  return `exists (select from rowgate_events.attempt a
    where a.event_created_at = e.created_at and a.event_id = e.id and a.number = e.tries and ${condition})`;
}
