import type pg from 'pg';
import { Refusal } from '../../http/answers/problem.ts';
import type { ApiOperation } from '../../http/endpoint/api-operation.ts';

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

/** Returns whether a relation exists. The tables of mails exist only with an application that makes them. */
export async function exists(client: pg.ClientBase, relation: string): Promise<boolean> {
  const { rows } = await client.query<{ readonly exists: boolean }>(
    'select pg_catalog.to_regclass($1) is not null as exists',
    [relation],
  );
  return rows[0]?.exists === true;
}

/** @throws Refusal 503 when the tables of events are missing, for example on a database that only serves GraphQL */
export async function refuseUnprepared(client: pg.ClientBase): Promise<void> {
  if (await exists(client, 'rowgate_events.paused_trigger')) return;
  throw new Refusal({
    status: 503,
    code: 'not-prepared',
    detail: 'the database lacks tables of events and schedules; run rowgate migrate',
  });
}
