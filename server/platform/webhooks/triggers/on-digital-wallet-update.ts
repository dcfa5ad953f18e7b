import { Type } from 'typebox';
import type { Endpoint } from '../../../http/endpoint/define-endpoint.ts';
import { defineTrigger, type TriggerServices } from './define-trigger.ts';
import { rowId, status } from './trigger-event.ts';

/**
 * Makes the endpoint for changed wallets. It updates the requests and address book entries that depend on the wallet,
 * e.g. puts the requests of a locked wallet on hold.
 */
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
        'Computes the value of the wallet at the newest price. Holds the requests of a locked wallet, releases them when it is active again, and cancels those of an archived one. Locks address book entries with the previous address. Notifies the owner.',
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
