import { Type } from 'typebox';
import type { Endpoint } from '../../../http/endpoint.ts';
import { defineTrigger, type TriggerServices } from './define-trigger.ts';
import { rowId, status } from './trigger-event.ts';

/** Lets what hangs on a wallet follow it. */
export function onDigitalWalletUpdate(services: TriggerServices): Endpoint {
  return defineTrigger(
    {
      name: 'on-digital-wallet-update',
      operationId: 'onDigitalWalletUpdate',
      table: 'digital_wallet',
      operations: ['UPDATE'],
      row,
      summary: 'a wallet changed',
      description:
        'Reckons its value at the newest price. Locked, what is asked for of it is held, and let go once it is active; archived, it is cancelled. Entries of the address book with the address that it had are locked. The owner is told.',
      effect: (event) => [
        'rowgate_webhooks.on_digital_wallet_update($1, $2, $3, $4, $5)',
        [event.id, event.new.id, event.old.status, event.new.status, event.old.address ?? null],
      ],
    },
    services,
  );
}

const row = Type.Object({
  id: rowId,
  status,
  address: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});
