import type { Request } from 'express';
import type pino from 'pino';
import { Counter, type Registry } from 'prom-client';
import { Refusal } from '../../../../http/answers/problem.ts';
import { type ProviderName, providerNames } from '../providers/callback-provider.ts';
import type { RecentRefusals } from './recent-refusals.ts';
import type { ProofFailure } from './sender-proof.ts';

/** The reason for the refusal of a callback, for the log and the counter. */
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

/** The refusal of an unauthenticated callback. The answer does not reveal to the sender which proof is missing. */
export class UnprovenSender extends Refusal {
  readonly reason: ProofFailure;

  constructor(reason: ProofFailure) {
    const detail = 'the callback does not prove that it comes from the provider';
    super({ status: 401, code: 'unauthenticated', detail });
    this.reason = reason;
  }
}

/** Records one refused callback of a provider, and ignores all other errors. */
export type RecordRefusal = (provider: ProviderName, error: unknown, request: Request) => void;

export interface RefusalRecordOptions {
  readonly logger: pino.Logger;
  /** Publishes the counter. */
  readonly registry?: Registry | undefined;
  /** Shows the last refusals. */
  readonly recent?: RecentRefusals | undefined;
}

/** Makes a function that counts and logs refusals. */
export function makeRefusalRecord({
  logger,
  registry,
  recent,
}: RefusalRecordOptions): RecordRefusal {
  const counter = new Counter({
    name: 'rowgate_callback_refusals_total',
    help: 'Callbacks that this process refused, by provider and reason',
    labelNames: ['provider', 'reason'],
    registers: registry ? [registry] : [],
  });
  for (const provider of providerNames)
    for (const reason of reasons) counter.inc({ provider, reason }, 0);
  return (provider, error, request) => {
    if (!(error instanceof Refusal)) return;
    const reason = reasonOf(error);
    if (reason === undefined) return;
    counter.inc({ provider, reason });
    const { detail } = error.problem;
    const { requestId, ip: address } = request;
    recent?.add({ provider, reason: descriptions[reason], address, requestId });
    // Headers and body are not logged, because both may contain secrets.
    logger.warn(
      {
        provider,
        reason,
        address,
        requestId,
        ...(reason === 'malformed' && { detail }),
      },
      `a callback was refused: ${descriptions[reason]}`,
    );
  };
}

const descriptions: Readonly<Record<RefusalReason, string>> = {
  not_configured: 'the provider is not configured here',
  signature: 'its signature is missing or wrong',
  timestamp: 'it was signed too long ago, or a clock is wrong',
  address: 'its address is not allowed',
  malformed: 'its body is invalid',
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
