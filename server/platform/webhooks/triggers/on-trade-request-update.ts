import { Type } from 'typebox';
import type { Endpoint } from '../../../http/endpoint/define-endpoint.ts';
import { defineTrigger, type TriggerServices } from './define-trigger.ts';
import { rowId, status, statusChange } from './trigger-event.ts';

/**
 * Makes the endpoint for changed trade requests. It updates the quote and the settlements of the trade, and notifies
 * the people who act next.
 */
export function onTradeRequestUpdate(services: TriggerServices): Endpoint {
  return defineTrigger(
    {
      name: 'on-trade-request-update',
      operationId: 'onTradeRequestUpdate',
      table: 'trade_request',
      operations: ['INSERT', 'UPDATE'],
      row,
      summary: 'a trade request was entered, or its status changed',
      description:
        'Approved: accepts the quote. Executed: enters one settlement, due two business days later. Rejected, cancelled or expired: cancels the settlements and offers the quote again. Settled: settles the quote. Notifies the people who act next, and the requester.',
      effect: (event) => [
        'rowgate_webhooks.on_trade_request_update($1, $2, $3, $4)',
        statusChange(event),
      ],
    },
    services,
  );
}

const row = Type.Object({ id: rowId, status });
