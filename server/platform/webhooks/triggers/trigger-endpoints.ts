import type { Endpoint } from '../../../http/endpoint/define-endpoint.ts';
import type { TriggerServices } from './define-trigger.ts';
import { onAssetTransactionInsert } from './on-asset-transaction-insert.ts';
import { onDigitalWalletUpdate } from './on-digital-wallet-update.ts';
import { onFiatDepositRequestUpdate } from './on-fiat-deposit-request-update.ts';
import { onFiatWithdrawalRequestUpdate } from './on-fiat-withdrawal-request-update.ts';
import { onInvoicePaymentInsert } from './on-invoice-payment-insert.ts';
import { onKycProfileUpdate } from './on-kyc-profile-update.ts';
import { onTradeRequestUpdate } from './on-trade-request-update.ts';
import { onTradeSettlementUpdate } from './on-trade-settlement-update.ts';
import { onUserDelete } from './on-user-delete.ts';
import { onUserInsert } from './on-user-insert.ts';

/** Makes the endpoints that the platform's own event triggers call. */
export function makeTriggerEndpoints(services: TriggerServices): Endpoint[] {
  return [
    onUserInsert,
    onUserDelete,
    onKycProfileUpdate,
    onTradeRequestUpdate,
    onTradeSettlementUpdate,
    onDigitalWalletUpdate,
    onAssetTransactionInsert,
    onInvoicePaymentInsert,
    onFiatDepositRequestUpdate,
    onFiatWithdrawalRequestUpdate,
  ].map((make) => make(services));
}
