import { Type } from 'typebox';
import type { Endpoint } from '../../../http/endpoint/define-endpoint.ts';
import { linkTo } from '../../mail-links.ts';
import { defineTrigger, type TriggerServices } from './define-trigger.ts';
import { type MessageParts, makeMessage } from './trigger-message.ts';

interface NewPerson {
  readonly userId: string;
  readonly email: string;
  readonly fullName: string | null;
  /** The organization that opened the account. Null for a person who signed up alone. */
  readonly organization: string | null;
  /** Coins of the person's active wallets. */
  readonly coins: readonly string[];
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
      writeMessage: (person) => makeMessage(welcome(person, config), format),
    },
    services,
  );
}

function welcome(
  { userId, email, fullName, organization, coins }: NewPerson,
  config: TriggerServices['config'],
): MessageParts {
  const { name: brand } = config.documents.brand;
  const opened =
    organization === null
      ? `You have signed up at ${brand}`
      : `${organization} has opened an account at ${brand} for you`;
  return {
    key: `welcome/${userId}`,
    to: [email],
    subject: `Welcome to ${brand}`,
    name: fullName,
    text: `${opened} with the address ${email}. Use this address to sign in.`,
    facts: [
      ['Organization', organization],
      ['Your wallets', coins.join(', ')],
    ],
    link: { text: 'Sign in', url: linkTo('sign-in', config) },
  };
}

const row = Type.Object({
  id: Type.String({ minLength: 1, description: 'The id of the person' }),
  // The first sign-in of an invited person changes the id in the row. The person is then found by these fields.
  organization_id: Type.Optional(Type.String({ format: 'uuid' })),
  email: Type.Optional(Type.String()),
});
