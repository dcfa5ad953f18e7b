import { Refusal } from '../../../http/answers/problem.ts';

/**
 * The reason of a failure: the file does not exist, the provider answered with an error, the file is too large, a time
 * limit was exceeded, or the connection broke.
 */
export type ProviderReason = 'missing' | 'refused' | 'too-large' | 'timed-out' | 'broken';

/** The provider did not deliver a file. The error contains nothing from the provider except the status. */
export class ProviderError extends Error {
  readonly reason: ProviderReason;
  /** The status of the provider's answer. */
  readonly status: number | undefined;

  constructor(
    reason: ProviderReason,
    { status, cause }: { readonly status?: number; readonly cause?: unknown } = {},
  ) {
    super(`the KYC provider did not deliver the file: ${reason}${status ? ` (${status})` : ''}`, {
      cause,
    });
    this.name = 'ProviderError';
    this.reason = reason;
    this.status = status;
  }
}

/** Returns true when a retry may succeed. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof ProviderError)) return false;
  return error.reason === 'broken' || (error.status ?? 0) >= 500;
}

/** Converts the error for the caller. */
export function refusalOf({ reason }: ProviderError): Refusal {
  switch (reason) {
    case 'missing':
      return new Refusal({
        status: 404,
        code: 'not-found',
        detail: 'the KYC provider does not have this file',
      });
    case 'timed-out':
      return new Refusal({
        status: 504,
        code: 'provider-timeout',
        detail: 'the KYC provider does not answer in time; try again later',
      });
    default:
      return new Refusal({
        status: 502,
        code: 'provider-error',
        detail: 'the KYC provider does not deliver the file; try again later',
      });
  }
}
