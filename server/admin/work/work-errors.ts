import type pg from 'pg';
import type { EventFilter } from '../../events/outbox/event-filter.ts';
import { Refusal } from '../../http/answers/problem.ts';
import type { ApiOperation } from '../../http/endpoint/api-operation.ts';
import { jobTable } from '../../queue/queue-tables.ts';

/** Answers of endpoints that name one event, event trigger, schedule or mail. */
export const missingAnswer: ApiOperation['answers'] = {
  404: { description: 'There is no such thing, or no longer' },
};

/** Answers of endpoints that change one of them. */
export const changeAnswers: ApiOperation['answers'] = {
  ...missingAnswer,
  409: {
    description: 'Nothing was done, because the state is another one than the request expects',
  },
};

export function notFound(detail: string): Refusal {
  return new Refusal({ status: 404, code: 'not-found', detail });
}

/** Makes the refusal of a change that would do something else than the person has agreed to. */
export function changed(detail: string): Refusal {
  return new Refusal({ status: 409, code: 'changed', detail });
}

/** Returns a filter of events whose times exist. @throws Refusal 400 */
export function withTimes<Filter extends Pick<EventFilter, 'since' | 'until'>>(
  filter: Filter,
): Filter {
  const timeOf = (text: string) => {
    const time = new Date(text);
    if (!Number.isNaN(time.getTime())) return time.toISOString();
    const detail = `${text} is no time; write one like 2026-03-01T12:00Z`;
    throw new Refusal({ status: 400, code: 'bad-request', detail });
  };
  const { since, until } = filter;
  return {
    ...filter,
    ...(since !== undefined && { since: timeOf(since) }),
    ...(until !== undefined && { until: timeOf(until) }),
  };
}

/** Returns whether all of these relations exist. */
export async function exist(client: pg.ClientBase, ...relations: readonly string[]) {
  const { rows } = await client.query<{ readonly exists: boolean }>(
    'select pg_catalog.bool_and(pg_catalog.to_regclass(r) is not null) as exists from pg_catalog.unnest($1::text[]) r',
    [relations],
  );
  return rows[0]?.exists === true;
}

/** @throws Refusal 503 when the tables of events are missing, for example on a database that only serves GraphQL */
export async function refuseUnprepared(client: pg.ClientBase): Promise<void> {
  if (await exist(client, 'rowgate_events.paused_trigger', jobTable)) return;
  throw new Refusal({
    status: 503,
    code: 'not-prepared',
    detail: 'the database lacks tables of events and schedules; run rowgate migrate',
  });
}
