import type pg from 'pg';
import type pino from 'pino';
import { type Static, type TObject, Type } from 'typebox';
import { orUnavailable } from '../../../http/answers/unavailable.ts';
import type { Access } from '../../../http/endpoint/access.ts';
import { defineEndpoint, type Endpoint } from '../../../http/endpoint/define-endpoint.ts';
import type { Mailer, Message } from '../../../mail/mailer.ts';
import type { Format } from '../../../rendering/format.ts';
import { webhooksTag } from '../../api-tags.ts';
import type { PlatformConfig } from '../../config/platform-config.ts';
import { runOnce } from '../once-per-event.ts';
import { type Operation, triggerBody } from './trigger-event.ts';

/** Services that trigger endpoints use. */
export interface TriggerServices {
  /** Connections of the sidecar login, which serves everything but the data API. */
  readonly pool: pg.Pool;
  readonly mailer: Mailer;
  readonly format: Format;
  readonly config: Pick<PlatformConfig, 'appUrl' | 'baseUrl' | 'documents' | 'triggers'>;
  readonly access: Access<undefined>;
  readonly logger: pino.Logger;
}

/** A changed row. `old` is present for updates and deletions, `new` for insertions and updates. */
export interface TriggerEvent<Row> {
  readonly id: string;
  readonly old: Row;
  readonly new: Row;
}

/**
 * The result from the database function, e.g. `{ outcome: 'paid', receiptId: … }`, and the facts for a mail about it.
 */
export interface TriggerResult<Facts> {
  readonly outcome: string;
  readonly letter?: Facts;
}

export interface Trigger<Row extends TObject, Facts> {
  /** The last segment of the path, after `/webhooks/`. */
  readonly name: `on-${string}`;
  readonly operationId: string;
  readonly table: string;
  readonly operations: readonly Operation[];
  /** The schema of the columns that the effect reads. */
  readonly row: Row;
  readonly summary: string;
  readonly description: string;
  /** Returns the call of the database function in rowgate_webhooks, which returns jsonb, and its arguments. */
  effect(event: TriggerEvent<Static<Row>>): readonly [sql: string, values: readonly unknown[]];
  /** Writes the mail about the result; absent: the trigger never sends mail. */
  writeMessage?(facts: Facts, result: TriggerResult<Facts>): Message;
}

/** Makes the endpoint of an event trigger. Each event has its effect once; the effect and its mails commit together. */
export function defineTrigger<Row extends TObject, Facts = never>(
  trigger: Trigger<Row, Facts>,
  { pool, mailer, access, logger }: TriggerServices,
): Endpoint {
  const { name, operationId, table, operations, row, summary, description } = trigger;
  return defineEndpoint({
    method: 'post',
    path: `/webhooks/${name}`,
    operationId,
    tag: webhooksTag,
    summary,
    description,
    access,
    body: triggerBody(table, operations, row),
    answers: {
      200: {
        description: 'The event had its effect, by this delivery or an earlier one',
        content: { 'application/json': answer },
      },
    },
    handle: async ({ body }, response) => {
      // The schema depends on the operations, so its static type does not include these fields.
      const data = body.event.data as unknown as Omit<TriggerEvent<Static<Row>>, 'id'>;
      const event = { id: body.id, old: data.old, new: data.new };
      const outcome = await orUnavailable(
        runOnce(pool, { id: event.id, effect: name }, (client) => runEffect(client, event)),
        logger,
      );
      response.json(
        outcome.duplicate ? { duplicate: true } : { duplicate: false, ...outcome.result },
      );
    },
  });

  async function runEffect(client: pg.PoolClient, event: TriggerEvent<Static<Row>>) {
    const [sql, values] = trigger.effect(event);
    const { rows } = await client.query<{ readonly done: TriggerResult<Facts> }>(
      `select ${sql} as done`,
      [...values],
    );
    const result = rows[0]?.done ?? { outcome: 'gone' };
    const { letter: facts, ...reported } = result;
    if (facts && trigger.writeMessage) {
      await mailer.post(client, [trigger.writeMessage(facts, result)]);
    }
    return reported;
  }
}

const answer = Type.Object(
  {
    duplicate: Type.Boolean({ description: 'Whether the event had its effect already' }),
    outcome: Type.Optional(
      Type.String({
        description:
          'The result, usually the new status of the row; `gone`: the row no longer exists',
      }),
    ),
  },
  { title: 'TriggerAnswer' },
);
