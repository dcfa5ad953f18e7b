import { Type } from 'typebox';
import type { Endpoint } from '../../../http/endpoint/define-endpoint.ts';
import { defineTrigger, type TriggerServices } from './define-trigger.ts';
import { rowId } from './trigger-event.ts';

/**
 * Makes the endpoint for entered transactions. It applies a confirmed transaction to the balance of the wallet, and
 * notifies the people concerned.
 */
export function onAssetTransactionInsert(services: TriggerServices): Endpoint {
  return defineTrigger(
    {
      name: 'on-asset-transaction-insert',
      operationId: 'onAssetTransactionInsert',
      table: 'asset_transaction',
      operations: ['INSERT'],
      row: Type.Object({ id: rowId }),
      summary: 'a transaction was entered',
      description:
        'Adds a confirmed transaction to the balance of its wallet, or subtracts it, once. Notifies the owner of the wallet, the people who can approve the transaction, and, from ROWGATE_LARGE_TRANSACTION_USD on, compliance.',
      effect: (event) => [
        'rowgate_webhooks.on_asset_transaction_insert($1, $2, $3)',
        [event.id, event.new.id, services.config.triggers.largeTransactionUsd],
      ],
    },
    services,
  );
}
