import { Type } from 'typebox';
import type { Endpoint } from '../../../http/endpoint.ts';
import { defineTrigger, type TriggerServices } from './define-trigger.ts';
import { rowId, status } from './trigger-event.ts';

/** Brings about what a change of a verification leads to. */
export function onKycProfileUpdate(services: TriggerServices): Endpoint {
  return defineTrigger(
    {
      name: 'on-kyc-profile-update',
      operationId: 'onKycProfileUpdate',
      table: 'kyc_profile',
      operations: ['UPDATE'],
      row,
      summary: 'a verification changed',
      description:
        'The profile’s pending documents follow it; high risk, a political office or a sanction opens a case for compliance, once; rejected or expired, the person’s open trade and withdrawal requests are held, and let go once it is approved; the person is told.',
      effect: (event) => [
        'rowgate_webhooks.on_kyc_profile_update($1, $2, $3, $4)',
        [event.id, event.new.id, event.old.status, event.new.status],
      ],
    },
    services,
  );
}

const row = Type.Object({ id: rowId, status });
