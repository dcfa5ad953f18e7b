import { Type } from 'typebox';
import type { Endpoint } from '../../../http/endpoint.ts';
import { type BankFacts, bankLetter } from './bank-letter.ts';
import { defineTrigger, type TriggerServices } from './define-trigger.ts';
import { rowId, status, statusMove } from './trigger-event.ts';

interface DepositFacts extends BankFacts {
  readonly id: string;
}

/** Credits deposits that have arrived. */
export function onFiatDepositRequestUpdate(services: TriggerServices): Endpoint {
  return defineTrigger<typeof row, DepositFacts>(
    {
      name: 'on-fiat-deposit-request-update',
      operationId: 'onFiatDepositRequestUpdate',
      table: 'fiat_deposit_request',
      operations: ['INSERT', 'UPDATE'],
      row,
      summary: 'a deposit was entered, or its status changed',
      description:
        'Approved, the person is sent what to write on the transfer. Received, it is credited to its wallet, one stable coin for one unit of its currency, and completed; accounting is told where that cannot be. Completed, the person is told by mail.',
      effect: (event) => [
        'rowgate_webhooks.on_fiat_deposit_request_update($1, $2, $3, $4)',
        statusMove(event),
      ],
      letter: (facts, { outcome }) => bankLetter(facts, wordsOf(facts, outcome), services.format),
    },
    services,
  );
}

function wordsOf({ id, reference }: DepositFacts, outcome: string) {
  if (outcome === 'approved') {
    return {
      key: `deposit-approved/${id}`,
      subject: 'Please transfer the money of your deposit',
      text: `Your deposit is expected. Write the reference ${reference} on the transfer, and nothing else, so that the money is recognised.`,
    };
  }
  return {
    key: `deposit-completed/${id}`,
    subject: 'Your deposit is credited',
    text: 'The money of your deposit has arrived and is credited.',
  };
}

const row = Type.Object({ id: rowId, status });
