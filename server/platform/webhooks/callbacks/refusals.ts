import type { Request } from 'express';
import type pino from 'pino';
import { Counter, type Registry } from 'prom-client';
import { Refusal } from '../../../http/problem.ts';
import type { ProviderName } from './callback-provider.ts';
import type { ProofFailure } from './sender-proof.ts';

/** Why a callback was refused. */
export type RefusalReason = ProofFailure | 'malformed' | 'oversized' | 'media_type';

const reasons: readonly RefusalReason[] = [
  'not_configured',
  'signature',
  'timestamp',
  'address',
  'malformed',
  'oversized',
  'media_type',
];
const providers: readonly ProviderName[] = ['custody', 'card', 'kyc', 'identity'];

/** A refusal that keeps from its sender which proof is missing, so that a stranger learns nothing from it. */
export class UnprovenSender extends Refusal {
  readonly reason: ProofFailure;

  constructor(reason: ProofFailure) {
    const detail = 'it does not show that it comes from the provider';
    super({ status: 401, code: 'unauthenticated', detail });
    this.reason = reason;
  }
}

/** Records one refused callback of a provider; errors that are no refusals are left to others. */
export type RecordRefusal = (provider: ProviderName, error: unknown, request: Request) => void;

/** Makes the counter of refusals, in a registry if there is one, and the log lines beside it. */
export function makeRefusalRecord(logger: pino.Logger, registry?: Registry): RecordRefusal {
  const counter = new Counter({
    name: 'rowgate_callback_refusals_total',
    help: 'Callbacks that this process refused, by provider and reason',
    labelNames: ['provider', 'reason'],
    registers: registry ? [registry] : [],
  });
  for (const provider of providers)
    for (const reason of reasons) counter.inc({ provider, reason }, 0);
  return (provider, error, request) => {
    if (!(error instanceof Refusal)) return;
    const reason = reasonOf(error);
    if (reason === undefined) return;
    counter.inc({ provider, reason });
    const { detail } = error.problem;
    const requestId = request.res?.locals.requestId;
    // Neither headers nor the body: both may hold what must not be in a log.
    logger.warn(
      {
        provider,
        reason,
        address: request.ip,
        requestId,
        ...(reason === 'malformed' && { detail }),
      },
      `a callback was refused: ${sentences[reason]}`,
    );
  };
}

const sentences: Readonly<Record<RefusalReason, string>> = {
  not_configured: 'the provider is not configured here',
  signature: 'its signature is missing or wrong',
  timestamp: 'it was signed too long ago, or a clock is wrong',
  address: 'its address is not allowed',
  malformed: 'its body cannot be used',
  oversized: 'its body is too large',
  media_type: 'its body is not plain JSON in UTF-8',
};

function reasonOf(refusal: Refusal): RefusalReason | undefined {
  if (refusal instanceof UnprovenSender) return refusal.reason;
  switch (refusal.problem.status) {
    case 400:
      return 'malformed';
    case 413:
      return 'oversized';
    case 415:
      return 'media_type';
    default:
      return undefined;
  }
}
