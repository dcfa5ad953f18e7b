/** Payloads as in section 6.1 of the platform's API, about rows of the demo data. */

export function custodyPayload(more: Readonly<Record<string, unknown>> = {}) {
  return {
    hash: '0xabc',
    transfer: 'transfer-1',
    coin: 'btc',
    type: 'deposit',
    state: 'confirmed',
    walletId: 'cw-dogwood-1',
    ...more,
  };
}

export function cardPayload(more: Readonly<Record<string, unknown>> = {}) {
  return {
    eventType: 'TRANSACTION_AUTHORIZED',
    cardId: 'card-alder-1',
    amount: 25.5,
    currency: 'USD',
    merchantName: 'Corner Bookshop',
    timestamp: '2026-03-10T12:00:00Z',
    ...more,
  };
}

export function kycPayload(more: Readonly<Record<string, unknown>> = {}) {
  return {
    applicantId: 'applicant-alder-2',
    inspectionId: 'inspection-alder-2',
    externalUserId: 'local|alder-member',
    type: 'applicantReviewed',
    reviewStatus: 'completed',
    reviewResult: { reviewAnswer: 'GREEN' },
    createdAt: '2026-03-10 12:00:00+0000',
    ...more,
  };
}

export function logRecord(
  log_id: string,
  type: string,
  more: Readonly<Record<string, unknown>> = {},
) {
  return {
    log_id,
    data: { type, connection: 'people', user_id: 'local|alder-member', ip: '203.0.113.9', ...more },
  };
}
