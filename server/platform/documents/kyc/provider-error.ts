import { Refusal } from '../../../http/problem.ts';

/** The provider has no such file; turned the request down or failed; sent too much; did not hurry; broke off. */
export type ProviderReason = 'missing' | 'refused' | 'too-large' | 'timed-out' | 'broken';

/** Why a file is not to be had. Holds nothing that the provider has said but a status. */
export class ProviderError extends Error {
  readonly reason: ProviderReason;
  /** Of the provider's answer. */
  readonly status: number | undefined;

  constructor(
    reason: ProviderReason,
    { status, cause }: { readonly status?: number; readonly cause?: unknown } = {},
  ) {
    super(`the KYC provider gives no file: ${reason}${status ? ` (${status})` : ''}`, { cause });
    this.name = 'ProviderError';
    this.reason = reason;
    this.status = status;
  }
}

/** Whether another try may help. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof ProviderError)) return false;
  return error.reason === 'broken' || (error.status ?? 0) >= 500;
}

/** What a caller is told. */
export function refusalOf({ reason }: ProviderError): Refusal {
  switch (reason) {
    case 'missing':
      return new Refusal({
        status: 404,
        code: 'not-found',
        detail: 'the KYC provider does not have this file, or no longer',
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
        detail: 'the KYC provider does not give the file; try again later',
      });
  }
}
