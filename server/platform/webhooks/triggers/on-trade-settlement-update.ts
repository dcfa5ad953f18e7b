import { Type } from 'typebox';
import type { Endpoint } from '../../../http/endpoint.ts';
import { defineTrigger, type TriggerServices } from './define-trigger.ts';
import { rowId, status } from './trigger-event.ts';

/** Brings about what a change of a settlement leads to. */
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
        'Settled, the coins or the money are booked and counted in the trade’s wallet, and the trade is settled where nothing of it is left; failed, traders and accounting are told.',
      effect: (event) => [
        'rowgate_webhooks.on_trade_settlement_update($1, $2, $3, $4)',
        [event.id, event.new.id, event.old.status, event.new.status],
      ],
    },
    services,
  );
}

const row = Type.Object({ id: rowId, status });
