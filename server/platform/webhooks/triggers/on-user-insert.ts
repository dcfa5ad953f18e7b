import { Type } from 'typebox';
import type { Endpoint } from '../../../http/endpoint/define-endpoint.ts';
import { defineTrigger, type TriggerServices } from './define-trigger.ts';
import { makeMessage } from './trigger-message.ts';

interface NewPerson {
  readonly userId: string;
  readonly email: string;
  readonly fullName: string | null;
  readonly organization: string;
}

/** Makes the endpoint for new people. It opens their default wallets and sends a welcome mail. */
export function onUserInsert(services: TriggerServices): Endpoint {
  const { config, format } = services;
  return defineTrigger<typeof row, NewPerson>(
    {
      name: 'on-user-insert',
      operationId: 'onUserInsert',
      table: 'user',
      operations: ['INSERT'],
      row,
      summary: 'a person was entered',
      description:
        'Opens an active custodial wallet for each coin of ROWGATE_DEFAULT_WALLETS for which the person has none. Sends a welcome mail.',
      effect: (event) => [
        'rowgate_webhooks.on_user_insert($1, $2, $3, $4, $5)',
        [
          event.id,
          event.new.id,
          event.new.organization_id ?? null,
          event.new.email ?? null,
          config.triggers.defaultWallets,
        ],
      ],
      writeMessage: ({ userId, email, fullName, organization }) =>
        makeMessage(
          {
            key: `welcome/${userId}`,
            to: [email],
            subject: `Welcome to ${organization}`,
            name: fullName,
            text: `You have an account with ${organization} now, and your wallets are ready. Sign in with ${email}.`,
            link: { text: 'Sign in', url: config.baseUrl },
          },
          format,
        ),
    },
    services,
  );
}

const row = Type.Object({
  id: Type.String({ minLength: 1, description: 'The id of the person' }),
  // The first sign-in of an invited person changes the id in the row. The person is then found by these fields.
  organization_id: Type.Optional(Type.String({ format: 'uuid' })),
  email: Type.Optional(Type.String()),
});
