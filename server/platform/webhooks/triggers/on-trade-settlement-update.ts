import { Type } from 'typebox';
import type { Endpoint } from '../../../http/endpoint/define-endpoint.ts';
import { defineTrigger, type TriggerServices } from './define-trigger.ts';
import { rowId, status } from './trigger-event.ts';

/**
 * Makes the endpoint for changed settlements of trades. It books a completed settlement in the wallet of the trade, and
 * reports a failed settlement.
 */
export function onTradeSettlementUpdate(services: TriggerServices): Endpoint {
  return defineTrigger(
    {
      name: 'on-trade-settlement-update',
      operationId: 'onTradeSettlementUpdate',
      table: 'trade_settlement',
      operations: ['UPDATE'],
      row,
      summary: 'a settlement changed',
      description:
        'Settled: books the coins or the money in the wallet of the trade, and settles the trade when nothing of it is left. Failed: notifies traders and accounting.',
      effect: (event) => [
        'rowgate_webhooks.on_trade_settlement_update($1, $2, $3, $4)',
        [event.id, event.new.id, event.old.status, event.new.status],
      ],
    },
    services,
  );
}

const row = Type.Object({ id: rowId, status });
