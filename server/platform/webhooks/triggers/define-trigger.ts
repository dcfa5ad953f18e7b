import type pg from 'pg';
import type pino from 'pino';
import { type Static, type TObject, Type } from 'typebox';
import type { Config } from '../../../config/config.ts';
import type { Access } from '../../../http/access.ts';
import { defineEndpoint, type Endpoint } from '../../../http/endpoint.ts';
import { orUnavailable } from '../../../http/unavailable.ts';
import type { Letter, Postman } from '../../../mail/postman.ts';
import type { Format } from '../../../rendering/format.ts';
import { once } from '../effect.ts';
import { type Operation, triggerBody } from './trigger-event.ts';

/** What the endpoints of triggers work with. */
export interface TriggerServices {
  /** Of the sidecar's login. */
  readonly pool: pg.Pool;
  readonly postman: Postman;
  readonly format: Format;
  readonly config: Pick<Config, 'baseUrl' | 'triggers'>;
  readonly access: Access<undefined>;
  readonly logger: pino.Logger;
}

/** A change of a row as the effect needs it: `old` of updates and deletions alone, `new` of insertions and updates. */
export interface TriggerEvent<Row> {
  readonly id: string;
  readonly old: Row;
  readonly new: Row;
}

/** What the database did, e.g. `{ outcome: 'paid', receiptId: … }`, and what a letter about it says. */
export interface Done<Facts> {
  readonly outcome: string;
  readonly letter?: Facts;
}

export interface Trigger<Row extends TObject, Facts> {
  /** After `/webhooks/`. */
  readonly name: `on-${string}`;
  readonly operationId: string;
  readonly table: string;
  readonly operations: readonly Operation[];
  /** The columns that the effect needs. */
  readonly row: Row;
  readonly summary: string;
  readonly description: string;
  /** Says what the database is to do: a function of rowgate_webhooks that returns jsonb, and its arguments. */
  effect(event: TriggerEvent<Static<Row>>): readonly [sql: string, values: readonly unknown[]];
  /** What people are written about it; absent: nothing ever. */
  letter?(facts: Facts, done: Done<Facts>): Letter;
}

/** The endpoint of an event trigger: does the effect of each event once, letters included, or nothing of it. */
export function defineTrigger<Row extends TObject, Facts = never>(
  trigger: Trigger<Row, Facts>,
  { pool, postman, access, logger }: TriggerServices,
): Endpoint {
  const { name, operationId, table, operations, row, summary, description } = trigger;
  return defineEndpoint({
    method: 'post',
    path: `/webhooks/${name}`,
    operationId,
    tag: 'webhooks',
    summary,
    description,
    access,
    body: triggerBody(table, operations, row),
    answers: {
      200: {
        description: 'The effect is done, now or by an earlier delivery of the event',
        content: { 'application/json': answer },
      },
    },
    handle: async ({ body }, response) => {
      // The schema is put together by operation, which its static type does not know.
      const data = body.event.data as unknown as Omit<TriggerEvent<Static<Row>>, 'id'>;
      const event = { id: body.id, old: data.old, new: data.new };
      const done = await orUnavailable(
        once(pool, { id: event.id, effect: name }, (client) => act(client, event)),
        logger,
      );
      response.json(done.duplicate ? { duplicate: true } : { duplicate: false, ...done.result });
    },
  });

  async function act(client: pg.PoolClient, event: TriggerEvent<Static<Row>>) {
    const [sql, values] = trigger.effect(event);
    const { rows } = await client.query<{ readonly done: Done<Facts> }>(`select ${sql} as done`, [
      ...values,
    ]);
    const done = rows[0]?.done ?? { outcome: 'gone' };
    if (done.letter && trigger.letter) {
      await postman.post(client, [trigger.letter(done.letter, done)]);
    }
    const { letter: _letter, ...told } = done;
    return told;
  }
}

const answer = Type.Object(
  {
    duplicate: Type.Boolean({ description: 'Whether the event had its effect before' }),
    outcome: Type.Optional(
      Type.String({
        description: 'What was done, mostly the status that the row has now; `gone`: it is no more',
      }),
    ),
  },
  { title: 'TriggerAnswer' },
);
