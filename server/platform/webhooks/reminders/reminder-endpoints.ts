import type pg from 'pg';
import type pino from 'pino';
import { Type } from 'typebox';
import type { Access } from '../../../http/access.ts';
import { defineEndpoint, type Endpoint } from '../../../http/endpoint.ts';
import { orUnavailable } from '../../../http/unavailable.ts';
import type { Postman } from '../../../mail/postman.ts';
import type { Format } from '../../../rendering/format.ts';
import { cardLetter } from './card-letter.ts';
import { invoiceLetter } from './invoice-letter.ts';
import { type Remind, remindAll } from './remind-all.ts';

export interface ReminderServices {
  /** Of the sidecar's login. */
  readonly pool: pg.Pool;
  readonly postman: Postman;
  readonly format: Format;
  readonly config: { readonly baseUrl: string };
  readonly access: Access<undefined>;
  readonly logger: pino.Logger;
}

const body = Type.Object(
  {
    id: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Of the scheduled event: the same for each try',
    }),
    name: Type.Optional(Type.String({ description: 'The name of the schedule' })),
    scheduled_time: Type.Optional(Type.String({ description: 'ISO 8601' })),
    payload: Type.Optional(Type.Unknown({ description: 'What the schedule holds; not looked at' })),
  },
  { title: 'ScheduledEvent', description: 'What a schedule posts, in the shape of Hasura' },
);

const answer = Type.Object(
  {
    duplicate: Type.Boolean({
      description: 'Whether the event was here before; nothing is done then',
    }),
    moved: Type.Optional(
      Type.Integer({ description: 'Rows that were moved to their next status' }),
    ),
    reminded: Type.Optional(Type.Integer({ description: 'Reminders that were written' })),
  },
  { title: 'Reminded' },
);

/** The endpoints that schedules call once a day. Rows are taken in batches, each in a transaction of its own. */
export function makeReminderEndpoints(services: ReminderServices): readonly Endpoint[] {
  const { format, config } = services;
  const { baseUrl } = config;
  return [
    reminderEndpoint(services, {
      path: '/webhooks/on-invoice-reminder',
      operationId: 'onInvoiceReminder',
      summary: 'remind organizations of invoices that are overdue',
      description:
        'Invoices that were not paid by their last day become overdue. Their organizations are reminded on the first day, and 7, 14 and 30 days after the last day to pay.',
      remind: {
        effect: 'invoice-reminder',
        batch: 'rowgate_webhooks.remind_invoices',
        write: (row) => invoiceLetter(row, { format, baseUrl }),
      },
    }),
    reminderEndpoint(services, {
      path: '/webhooks/on-card-reminder',
      operationId: 'onCardReminder',
      summary: 'remind holders of cards that end or run dry',
      description:
        'Holders are told 30 and 7 days before their card ends, when it has ended, and once a month while less than a tenth of its limit is left. Cards that have ended become expired.',
      remind: {
        effect: 'card-reminder',
        batch: 'rowgate_webhooks.remind_cards',
        write: (row) => cardLetter(row, { format }),
      },
    }),
  ];
}

interface ReminderDefinition {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly remind: Remind;
}

function reminderEndpoint(
  { pool, postman, access, logger }: ReminderServices,
  { remind, ...described }: ReminderDefinition,
): Endpoint {
  return defineEndpoint({
    ...described,
    method: 'post',
    tag: 'webhooks',
    access,
    body,
    answers: {
      200: { description: 'It is done', content: { 'application/json': answer } },
    },
    handle: async ({ body: event }, response) => {
      response.json(await orUnavailable(remindAll(event.id, remind, { pool, postman }), logger));
    },
  });
}
