import { Type } from 'typebox';
import type { Endpoint } from '../../../http/endpoint.ts';
import { defineTrigger, type TriggerServices } from './define-trigger.ts';
import { rowId, status, statusMove } from './trigger-event.ts';

/** Brings about what a change of a trade request leads to. */
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
        'Approved, its quote is accepted; executed, its settlement is entered once, due two business days later; rejected, cancelled or expired, its settlements are cancelled and its quote is offered again; settled, its quote is. Who is to act next is told, and the person.',
      effect: (event) => [
        'rowgate_webhooks.on_trade_request_update($1, $2, $3, $4)',
        statusMove(event),
      ],
    },
    services,
  );
}

const row = Type.Object({ id: rowId, status });
