import { Type } from 'typebox';
import type { Endpoint } from '../../../http/endpoint/define-endpoint.ts';
import { defineTrigger, type TriggerServices } from './define-trigger.ts';

/**
 * Makes the endpoint for deleted people. It archives their empty wallets, cancels their requests and ends their
 * sessions.
 */
export function onUserDelete(services: TriggerServices): Endpoint {
  return defineTrigger(
    {
      name: 'on-user-delete',
      operationId: 'onUserDelete',
      table: 'user',
      operations: ['DELETE'],
      row,
      summary: 'a person was deleted',
      description:
        'Archives the empty wallets of the person, reports the others to the administrators of the organization, and cancels requests on them. Ends sessions and withdraws unsent mail. Postgres deletes tokens, notifications and files together with the person.',
      effect: (event) => [
        'rowgate_webhooks.on_user_delete($1, $2, $3)',
        [event.id, event.old.id, event.old.email],
      ],
    },
    services,
  );
}

const row = Type.Object({
  id: Type.String({ minLength: 1, description: 'The id of the person' }),
  email: Type.String(),
});
