import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type pino from 'pino';
import { Type } from 'typebox';
import { orUnavailable } from '../../../http/answers/unavailable.ts';
import type { Access } from '../../../http/endpoint/access.ts';
import { defineEndpoint, type Endpoint } from '../../../http/endpoint/define-endpoint.ts';
import type { Mailer } from '../../../mail/mailer.ts';
import type { Format } from '../../../rendering/format.ts';
import { webhooksTag } from '../../api-tags.ts';
import { cardMessage } from './card-message.ts';
import { type InvoiceLinks, invoiceMessage } from './invoice-message.ts';
import { type ReminderKind, remindAll } from './remind-all.ts';

export interface ReminderServices {
  /** Connections of the sidecar login, which serves everything but the data API. */
  readonly pool: pg.Pool;
  readonly mailer: Mailer;
  readonly format: Format;
  readonly config: InvoiceLinks;
  readonly access: Access<undefined>;
  readonly logger: pino.Logger;
}

/** A call by hand or from a plain cron has no body. No reminder is sent twice whatever the id is. */
const body = Type.Object(
  {
    id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'The id of the scheduled event, which is the same for each try; absent: an event of its own',
      }),
    ),
    name: Type.Optional(Type.String({ description: 'The name of the schedule' })),
    scheduled_time: Type.Optional(Type.String({ description: 'ISO 8601' })),
    payload: Type.Optional(Type.Unknown({ description: 'The payload of the schedule; ignored' })),
  },
  { title: 'ScheduledEvent', description: 'The request of a schedule, in the format of Hasura' },
);

const answer = Type.Object(
  {
    duplicate: Type.Boolean({
      description: 'Whether the event was processed already; then nothing is done',
    }),
    moved: Type.Optional(
      Type.Integer({ description: 'The number of rows that were moved to their next status' }),
    ),
    reminded: Type.Optional(
      Type.Integer({ description: 'The number of reminders that were sent' }),
    ),
  },
  { title: 'Reminded' },
);

/** Makes the endpoints that schedules call once a day. */
export function makeReminderEndpoints(services: ReminderServices): readonly Endpoint[] {
  const { format, config } = services;
  return [
    reminderEndpoint(services, {
      path: '/webhooks/on-invoice-reminder',
      operationId: 'onInvoiceReminder',
      summary: 'remind organizations of invoices that are overdue',
      description:
        'Moves invoices that are past their due date to overdue. Reminds their organizations 1, 7, 14 and 30 days after the due date.',
      remind: {
        effect: 'invoice-reminder',
        batch: 'rowgate_webhooks.remind_invoices',
        write: (row) => invoiceMessage(row, { format, config }),
      },
    }),
    reminderEndpoint(services, {
      path: '/webhooks/on-card-reminder',
      operationId: 'onCardReminder',
      summary: 'remind holders of cards that expire or have a low balance',
      description:
        'Reminds holders 30 and 7 days before their card expires, when it has expired, and once a month while less than a tenth of its limit is left. Moves cards past their last day to expired.',
      remind: {
        effect: 'card-reminder',
        batch: 'rowgate_webhooks.remind_cards',
        write: (row) => cardMessage(row, { format }),
      },
    }),
  ];
}

interface ReminderDefinition {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly remind: ReminderKind;
}

function reminderEndpoint(
  { pool, mailer, access, logger }: ReminderServices,
  { remind, ...described }: ReminderDefinition,
): Endpoint {
  return defineEndpoint({
    ...described,
    method: 'post',
    tag: webhooksTag,
    access,
    body: Type.Optional(body),
    answers: {
      200: { description: 'The reminders are sent', content: { 'application/json': answer } },
    },
    handle: async ({ body: event }, response) => {
      const id = event?.id ?? randomUUID();
      response.json(await orUnavailable(remindAll(id, remind, { pool, mailer }), logger));
    },
  });
}
