import { Type } from 'typebox';
import type { Endpoint } from '../../../http/endpoint/define-endpoint.ts';
import { defineTrigger, type TriggerServices } from './define-trigger.ts';
import { rowId, status } from './trigger-event.ts';

/**
 * Makes the endpoint for changed verifications of people. It opens cases for compliance, and holds the requests of
 * people whose verification is rejected or expired.
 */
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
        'Updates the pending documents of the profile. Opens one case for compliance on high risk, a political office or a sanction. Holds the open trade and withdrawal requests of a person whose verification is rejected or expired, and releases them once it is approved. Notifies the person.',
      effect: (event) => [
        'rowgate_webhooks.on_kyc_profile_update($1, $2, $3, $4)',
        [event.id, event.new.id, event.old.status, event.new.status],
      ],
    },
    services,
  );
}

const row = Type.Object({ id: rowId, status });
