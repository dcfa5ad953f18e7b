import { Type } from 'typebox';
import type { Endpoint } from '../../../http/endpoint.ts';
import { defineTrigger, type TriggerServices } from './define-trigger.ts';
import { rowId } from './trigger-event.ts';

/** Counts a transaction that is confirmed, and tells people. */
export function onAssetTransactionInsert(services: TriggerServices): Endpoint {
  return defineTrigger(
    {
      name: 'on-asset-transaction-insert',
      operationId: 'onAssetTransactionInsert',
      table: 'asset_transaction',
      operations: ['INSERT'],
      row: Type.Object({ id: rowId }),
      summary: 'coins move',
      description:
        'Confirmed, the transaction is added to the balance of its wallet or taken off it, once. The wallet’s owner is told, those who are to approve it, and compliance from ROWGATE_LARGE_TRANSACTION_USD on.',
      effect: (event) => [
        'rowgate_webhooks.on_asset_transaction_insert($1, $2, $3)',
        [event.id, event.new.id, services.config.triggers.largeTransactionUsd],
      ],
    },
    services,
  );
}
